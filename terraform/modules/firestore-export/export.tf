# A database of one region is lost with it, and so are its backups. This exports it each night into another location. An export is not one state of the
# database without `snapshotTime`, which a schedule cannot give: a document may be older than another by as long as the export takes.
resource "google_cloud_scheduler_job" "export" {
  project          = var.project_id
  region           = var.schedule_region
  name             = "firestore-export"
  description      = "Exports the Firestore database ${var.export.database} to gs://${google_storage_bucket.export.name}"
  schedule         = "17 2 * * *"
  time_zone        = "Etc/UTC"
  attempt_deadline = "180s"

  retry_config {
    retry_count          = 3
    min_backoff_duration = "60s"
    max_backoff_duration = "600s"
  }

  # Firestore starts an operation and answers at once. It makes a folder of the bucket, named by the time.
  http_target {
    http_method = "POST"
    uri         = "https://firestore.googleapis.com/v1/projects/${var.project_id}/databases/${var.export.database}:exportDocuments"
    headers     = { "Content-Type" = "application/json" }
    body        = base64encode(jsonencode({ outputUriPrefix = "gs://${google_storage_bucket.export.name}" }))

    oauth_token {
      service_account_email = google_service_account.export.email
    }
  }

  depends_on = [google_project_iam_member.export, google_storage_bucket_iam_member.export]
}

resource "google_service_account" "export" {
  project      = var.project_id
  account_id   = var.export.account_id
  display_name = "Exports Firestore each night"
}

resource "google_project_iam_member" "export" {
  for_each = var.members.nightly_project

  project = var.project_id
  role    = each.value.role
  member  = each.value.member

  depends_on = [google_service_account.export]
}

resource "google_storage_bucket_iam_member" "export" {
  for_each = var.members.nightly_bucket

  bucket = google_storage_bucket.export.name
  role   = each.value.role
  member = each.value.member

  depends_on = [google_service_account.export]
}
