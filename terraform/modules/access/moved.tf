# For environments that were created before roles had keys.
moved {
  from = google_project_iam_custom_role.stop_warehouse_jobs
  to   = google_project_iam_custom_role.this["stop_warehouse_jobs"]
}
