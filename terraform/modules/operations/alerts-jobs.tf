# Jobs, from the queue to their end. Customers wait for whatever gets old here.
resource "google_monitoring_alert_policy" "job_age" {
  project               = var.project_id
  display_name          = "Populus ${var.environment}: jobs are stuck"
  severity              = "ERROR"
  combiner              = "OR"
  notification_channels = local.channels
  user_labels           = var.labels

  conditions {
    display_name = "Sweeps in 15 minutes that found a job past its deadline"
    condition_threshold {
      filter          = local.logged["overdue_sweeps"]
      comparison      = "COMPARISON_GT"
      threshold_value = 0
      duration        = "0s"

      aggregations {
        alignment_period     = "900s"
        per_series_aligner   = "ALIGN_DELTA"
        cross_series_reducer = "REDUCE_SUM"
      }
    }
  }

  # Dead letters too: if their worker fails, it is retried until the messages expire.
  conditions {
    display_name = "Age of the oldest unacknowledged message"
    condition_threshold {
      filter          = local.watched_age
      comparison      = "COMPARISON_GT"
      threshold_value = var.thresholds.message_age_seconds
      duration        = "300s"

      aggregations {
        alignment_period     = "60s"
        per_series_aligner   = "ALIGN_MAX"
        cross_series_reducer = "REDUCE_MAX"
        group_by_fields      = ["resource.label.subscription_id"]
      }
    }
  }

  # Only the sweeper ends lost jobs. Missing data counts as too few, which requires a duration of 60 s.
  conditions {
    display_name = "Sweeps in 15 minutes"
    condition_threshold {
      filter                  = local.logged["sweeps"]
      comparison              = "COMPARISON_LT"
      threshold_value         = 1
      duration                = "60s"
      evaluation_missing_data = "EVALUATION_MISSING_DATA_ACTIVE"

      aggregations {
        alignment_period     = "900s"
        per_series_aligner   = "ALIGN_DELTA"
        cross_series_reducer = "REDUCE_SUM"
      }
    }
  }

  documentation {
    content   = local.runbooks["job-age"]
    mime_type = "text/markdown"
  }
  alert_strategy {
    auto_close = "3600s"
  }
}

# Based on the log line itself, so that the message names the job and its customer.
resource "google_monitoring_alert_policy" "dead_letters" {
  project               = var.project_id
  display_name          = "Populus ${var.environment}: a job was given up"
  severity              = "ERROR"
  combiner              = "OR"
  notification_channels = local.channels
  user_labels           = var.labels

  conditions {
    display_name = "A dead letter"
    condition_matched_log {
      filter = var.log_metrics.alerts["job_given_up"]
      label_extractors = {
        job      = "EXTRACT(jsonPayload.jobId)"
        customer = "EXTRACT(jsonPayload.uid)"
      }
    }
  }

  documentation {
    content   = local.runbooks["dead-letters"]
    mime_type = "text/markdown"
  }

  # In an outage many jobs are given up at once: send one message in five minutes.
  alert_strategy {
    auto_close = "86400s"
    notification_rate_limit {
      period = "300s"
    }
  }
}
