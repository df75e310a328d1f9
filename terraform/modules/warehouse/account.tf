# The provider's data is loaded as this account, and nobody else reads raw counts.
resource "google_service_account" "loader" {
  project      = var.project_id
  account_id   = var.loader_id
  display_name = "Loads of the provider's data"
  description  = "Grants: modules/environment-plan/members.tf"
}

resource "google_service_account_iam_member" "loader" {
  for_each = var.members.loader_account

  service_account_id = google_service_account.loader.name
  role               = each.value.role
  member             = each.value.member
}
