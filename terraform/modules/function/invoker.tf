# All of a function's invokers: whoever else was given the role, by hand too, loses it with the next apply. An endpoint's is `allUsers`, since it
# authenticates by key.
resource "google_cloud_run_v2_service_iam_binding" "invoker" {
  project  = google_cloudfunctions2_function.function.project
  location = google_cloudfunctions2_function.function.location
  name     = google_cloudfunctions2_function.function.name
  role     = "roles/run.invoker"
  members  = [var.invoker]
}
