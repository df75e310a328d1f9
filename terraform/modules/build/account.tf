# Builds run as a separate account: the default one is an editor of the project.
resource "google_service_account" "build" {
  project      = var.project_id
  account_id   = var.account_id
  display_name = "Builds of functions"
}

resource "google_project_iam_member" "build" {
  for_each = var.members.build_project

  project = var.project_id
  role    = each.value.role
  member  = each.value.member

  dynamic "condition" {
    for_each = each.value.condition == null ? [] : [each.value.condition]
    content {
      title      = condition.value.title
      expression = condition.value.expression
    }
  }

  depends_on = [google_service_account.build]
}

resource "google_artifact_registry_repository_iam_member" "build" {
  for_each = var.members.build_repository

  project    = var.project_id
  location   = google_artifact_registry_repository.functions.location
  repository = google_artifact_registry_repository.functions.name
  role       = each.value.role
  member     = each.value.member

  depends_on = [google_service_account.build]
}
