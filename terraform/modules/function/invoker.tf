# All invokers of a function. Anyone else who was granted the role, also by hand, loses it with the next apply.
resource "google_cloud_run_v2_service_iam_binding" "invoker" {
  project  = google_cloudfunctions2_function.function.project
  location = google_cloudfunctions2_function.function.location
  name     = google_cloudfunctions2_function.function.name
  role     = "roles/run.invoker"
  members  = [var.invoker]

  depends_on = [var.ready]
}
