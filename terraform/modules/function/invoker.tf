# All invokers of a function. Anyone else who was granted the role, also by hand, loses it with the next apply. Without the check there are none.
resource "google_cloud_run_v2_service_iam_binding" "invoker" {
  count = var.invoker == null ? 0 : 1

  project  = google_cloud_run_v2_service.function.project
  location = google_cloud_run_v2_service.function.location
  name     = google_cloud_run_v2_service.function.name
  role     = "roles/run.invoker"
  members  = [var.invoker]

  depends_on = [var.ready]
}
