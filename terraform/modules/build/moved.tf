# For environments that were created before members had keys.
moved {
  from = google_artifact_registry_repository_iam_member.images
  to   = google_artifact_registry_repository_iam_member.build["images"]
}

moved {
  from = google_project_iam_member.logs
  to   = google_project_iam_member.build["logs"]
}

moved {
  from = google_project_iam_member.sources
  to   = google_project_iam_member.build["sources"]
}
