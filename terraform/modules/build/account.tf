# Builds run as a separate account: the default one is an editor of the project.
resource "google_service_account" "build" {
  project      = var.project_id
  account_id   = "function-builds"
  display_name = "Builds of functions"
}

# What a build needs: https://cloud.google.com/functions/docs/securing/build-custom-sa
resource "google_project_iam_member" "logs" {
  project = var.project_id
  role    = "roles/logging.logWriter"
  member  = google_service_account.build.member
}

resource "google_artifact_registry_repository_iam_member" "images" {
  project    = var.project_id
  location   = google_artifact_registry_repository.functions.location
  repository = google_artifact_registry_repository.functions.name
  role       = "roles/artifactregistry.writer"
  member     = google_service_account.build.member
}

# Cloud Functions copies the archive to a bucket that it creates itself, so Terraform cannot set its policy. The role is granted on the project, with a
# condition that limits it to that bucket. Without the condition a build could read customers' exports.
resource "google_project_iam_member" "sources" {
  project = var.project_id
  role    = "roles/storage.objectViewer"
  member  = google_service_account.build.member

  condition {
    title      = "function-sources"
    expression = "resource.name.startsWith(\"projects/_/buckets/gcf-v2-sources-\")"
  }
}
