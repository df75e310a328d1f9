output "build" {
  description = "Repository and service account of the build. Known once the account has its roles."
  value = {
    repository      = google_artifact_registry_repository.functions.id
    service_account = google_service_account.build.id
  }
  depends_on = [
    google_artifact_registry_repository_iam_member.build,
    google_project_iam_member.build,
  ]
}
