output "build" {
  description = "Where the image goes (`image`, without tag or digest), and the service account that builds it. Known once the account has its roles everywhere."
  value = {
    image           = "${google_artifact_registry_repository.functions.location}-docker.pkg.dev/${google_artifact_registry_repository.functions.project}/${google_artifact_registry_repository.functions.repository_id}/functions"
    service_account = google_service_account.build.id
  }
  depends_on = [time_sleep.granted]
}
