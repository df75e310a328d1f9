# For environments from when Cloud Functions built each function: terraform/move-from-functions.md. The function is forgotten, and its service imported.
removed {
  from = google_cloudfunctions2_function.function

  lifecycle {
    destroy = false
  }
}
