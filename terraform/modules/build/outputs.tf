output "build" {
  description = "What a function is built with; known once the build's account may do its work."
  value = {
    repository      = google_artifact_registry_repository.functions.id
    service_account = google_service_account.build.id
  }
  depends_on = [
    google_artifact_registry_repository_iam_member.images,
    google_project_iam_member.logs,
    google_project_iam_member.sources,
  ]
}
