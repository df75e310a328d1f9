# Data that did not arrive by its hour, or that arrived and is bad. Based on the log lines themselves, so that the message names the day.
resource "google_monitoring_alert_policy" "arrivals" {
  project               = var.project_id
  display_name          = "Populus ${var.environment}: a day of data is missing"
  severity              = "ERROR"
  combiner              = "OR"
  notification_channels = local.channels
  user_labels           = var.labels

  conditions {
    display_name = "A day that did not arrive, or was quarantined"
    condition_matched_log {
      filter = var.log_metrics.alerts["day_missing"]
      label_extractors = {
        country = "EXTRACT(jsonPayload.country)"
        date    = "EXTRACT(jsonPayload.date)"
        table   = "EXTRACT(jsonPayload.table)"
      }
    }
  }

  documentation {
    content   = local.runbooks["arrivals"]
    mime_type = "text/markdown"
  }

  # A missing day is logged every 15 minutes until it is there: one message an hour is enough.
  alert_strategy {
    auto_close = "7200s"
    notification_rate_limit {
      period = "3600s"
    }
  }
}
