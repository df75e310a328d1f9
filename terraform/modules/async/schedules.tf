# A scheduler job starts calling as soon as it exists, so it is created last.
resource "google_cloud_scheduler_job" "schedule" {
  for_each = var.schedules

  project          = var.project_id
  region           = var.queue_region
  name             = each.key
  description      = "Calls the function ${each.key}"
  schedule         = each.value.cron
  time_zone        = "Etc/UTC"
  attempt_deadline = "${each.value.timeout_seconds}s"

  # A failed run is retried within its period, with the same X-CloudScheduler-ScheduleTime, so a retried tick is the same tick.
  retry_config {
    retry_count          = 3
    min_backoff_duration = "5s"
    max_backoff_duration = "60s"
    max_doublings        = 3
    max_retry_duration   = "${each.value.every_seconds}s"
  }

  http_target {
    http_method = "POST"
    uri         = each.value.url

    oidc_token {
      service_account_email = each.value.caller
      audience              = each.value.url
    }
  }

  depends_on = [google_service_account.caller, var.ready]
}
