# Headcounts are due every five minutes.
resource "google_monitoring_alert_policy" "ticks" {
  project               = var.project_id
  display_name          = "Populus ${var.environment}: headcounts are late"
  severity              = "ERROR"
  combiner              = "OR"
  notification_channels = local.channels
  user_labels           = var.labels

  conditions {
    display_name = "Ticks that were finished, of the last ${var.thresholds.ticks_missed}"
    condition_threshold {
      filter                  = local.logged["ticks"]
      comparison              = "COMPARISON_LT"
      threshold_value         = 1
      duration                = "60s"
      evaluation_missing_data = "EVALUATION_MISSING_DATA_ACTIVE"

      aggregations {
        alignment_period     = "${300 * var.thresholds.ticks_missed}s"
        per_series_aligner   = "ALIGN_DELTA"
        cross_series_reducer = "REDUCE_SUM"
      }
    }
  }

  # A tick that keeps failing, for example because it would read more than maximumBytesBilled, is given up: it will never be there.
  conditions {
    display_name = "A tick that was given up"
    condition_threshold {
      filter          = local.logged["ticks_given_up"]
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

  # Alert before a tick is late: one that takes 300 s overlaps the next one.
  conditions {
    display_name = "Duration of a tick"
    condition_threshold {
      filter          = local.tick_time
      comparison      = "COMPARISON_GT"
      threshold_value = 1000 * var.thresholds.tick_seconds
      duration        = "0s"

      aggregations {
        alignment_period     = "600s"
        per_series_aligner   = "ALIGN_PERCENTILE_99"
        cross_series_reducer = "REDUCE_MAX"
      }
    }
  }

  documentation {
    content   = local.runbooks["ticks"]
    mime_type = "text/markdown"
  }
  alert_strategy {
    auto_close = "3600s"
  }
}
