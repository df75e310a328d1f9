# Builds run as a separate account: the default one is an editor of the project.
resource "google_service_account" "build" {
  project      = var.project_id
  account_id   = var.account_id
  display_name = "Builds the image of the functions"
}

# A policy refuses an account that was created a moment ago, and the provider does not repeat that.
resource "time_sleep" "created" {
  create_duration = "60s"
  triggers        = { account = google_service_account.build.unique_id }
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

  depends_on = [time_sleep.created]
}

resource "google_artifact_registry_repository_iam_member" "build" {
  for_each = var.members.build_repository

  project    = var.project_id
  location   = google_artifact_registry_repository.functions.location
  repository = google_artifact_registry_repository.functions.name
  role       = each.value.role
  member     = each.value.member

  depends_on = [time_sleep.created]
}

# A grant takes up to two minutes to reach every service. Another grant makes this again, and what uses the account waits.
resource "time_sleep" "granted" {
  create_duration = "120s"
  triggers = merge(
    { for key, member in google_project_iam_member.build : "project ${key}" => member.id },
    { for key, member in google_artifact_registry_repository_iam_member.build : "repository ${key}" => member.id },
  )
}
