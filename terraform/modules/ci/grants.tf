# What a plan reads of services that have no role for their settings alone.
resource "google_project_iam_custom_role" "plan" {
  project     = var.project_id
  role_id     = var.ci.plan_role.id
  title       = "Plan from CI"
  description = "Reads settings that terraform plan compares: modules/environment-plan/ci.tf"
  permissions = var.ci.plan_role.permissions
}

resource "google_project_iam_member" "ci" {
  for_each = var.members.ci_project

  project = var.project_id
  role    = each.value.role
  member  = each.value.member

  depends_on = [google_project_iam_custom_role.plan, time_sleep.created]
}

resource "google_project_iam_member" "delivery" {
  for_each = var.members.ci_delivery_project

  project = each.value.project_id
  role    = each.value.role
  member  = each.value.member

  depends_on = [time_sleep.created]
}

# `scripts/bootstrap` creates the bucket.
resource "google_storage_bucket_iam_member" "state" {
  for_each = var.members.ci_state

  bucket = "${var.project_id}-terraform-state"
  role   = each.value.role
  member = each.value.member

  depends_on = [time_sleep.created]
}
