resource "google_service_account" "function" {
  project      = var.project_id
  account_id   = var.account_id
  display_name = "Function ${var.name}"
  description  = "Grants: modules/roles/grants.tf"
}
