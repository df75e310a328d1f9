resource "google_project_iam_member" "ci" {
  for_each = var.members.ci_project

  project = var.project_id
  role    = each.value.role
  member  = each.value.member

  depends_on = [google_service_account.ci]
}

resource "google_project_iam_member" "delivery" {
  for_each = var.members.ci_delivery_project

  project = each.value.project_id
  role    = each.value.role
  member  = each.value.member

  depends_on = [google_service_account.ci]
}

# `scripts/bootstrap` creates the bucket.
resource "google_storage_bucket_iam_member" "state" {
  for_each = var.members.ci_state

  bucket = "${var.project_id}-terraform-state"
  role   = each.value.role
  member = each.value.member

  depends_on = [google_service_account.ci]
}
