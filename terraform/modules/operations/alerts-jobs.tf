# Jobs, from the queue to their end. What grows old here is what customers wait for.
resource "google_monitoring_alert_policy" "job_age" {
  project               = var.project_id
  display_name          = "Populus ${var.environment}: jobs do not get on"
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

  # Dead letters too: a worker of theirs that fails is tried until they are forgotten.
  conditions {
    display_name = "Age of the oldest message that no worker has taken"
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

  # Nobody but the sweeper ends jobs that are lost. Missing data count as too few, which asks for a duration of 60 s.
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

# Made of the log line itself, so that the message names the job and its customer.
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
      filter = local.given_up
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

  # An outage gives up many jobs at once: one message in five minutes.
  alert_strategy {
    auto_close = "86400s"
    notification_rate_limit {
      period = "300s"
    }
  }
}
