# The provider's deliveries are uploaded as this account. It may create objects, so it can neither read nor replace what is there, and nothing else.
resource "google_service_account" "uploader" {
  project      = var.project_id
  account_id   = var.uploader_id
  display_name = "Uploads of the provider's data"
  description  = "Grants: modules/environment-plan/members.tf"
}

resource "google_service_account_iam_member" "uploader" {
  for_each = var.members.uploader_account

  service_account_id = google_service_account.uploader.name
  role               = each.value.role
  member             = each.value.member
}

resource "google_storage_bucket_iam_member" "landing" {
  for_each = var.members.landing_bucket

  bucket = google_storage_bucket.landing.name
  role   = each.value.role
  member = each.value.member

  depends_on = [google_service_account.uploader, var.ready]
}
