# A stolen key is mostly used from elsewhere. The log line has customer, label and network; the metric has none of them, so the runbook asks for it.
resource "google_monitoring_alert_policy" "new_network" {
  project               = var.project_id
  display_name          = "Populus ${var.environment}: a key is used from a new network"
  severity              = "WARNING"
  combiner              = "OR"
  notification_channels = local.channels
  user_labels           = var.labels

  conditions {
    display_name = "A new network after 30 quiet days"
    condition_threshold {
      filter          = local.logged["new_networks"]
      comparison      = "COMPARISON_GT"
      threshold_value = 0
      duration        = "0s"

      aggregations {
        alignment_period     = "300s"
        per_series_aligner   = "ALIGN_DELTA"
        cross_series_reducer = "REDUCE_SUM"
      }
    }
  }

  documentation {
    content   = local.runbooks["new-network"]
    mime_type = "text/markdown"
  }
  alert_strategy {
    auto_close = "3600s"
  }
}
