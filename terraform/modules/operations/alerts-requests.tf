# The share alone would alert on one failed request at night, the count alone on a bad minute of a busy day.
resource "google_monitoring_alert_policy" "error_rate" {
  project               = var.project_id
  display_name          = "Populus ${var.environment}: requests fail"
  severity              = "CRITICAL"
  combiner              = "AND"
  notification_channels = local.channels
  user_labels           = var.labels

  conditions {
    display_name = "Share of answers 5xx"
    condition_threshold {
      filter             = local.failed
      denominator_filter = local.requests
      comparison         = "COMPARISON_GT"
      threshold_value    = var.thresholds.error_share
      duration           = "0s"

      aggregations {
        alignment_period     = "300s"
        per_series_aligner   = "ALIGN_DELTA"
        cross_series_reducer = "REDUCE_SUM"
      }
      denominator_aggregations {
        alignment_period     = "300s"
        per_series_aligner   = "ALIGN_DELTA"
        cross_series_reducer = "REDUCE_SUM"
      }
    }
  }

  conditions {
    display_name = "Answers 5xx in five minutes"
    condition_threshold {
      filter          = local.failed
      comparison      = "COMPARISON_GT"
      threshold_value = var.thresholds.errors_of_requests - 1
      duration        = "0s"

      aggregations {
        alignment_period     = "300s"
        per_series_aligner   = "ALIGN_DELTA"
        cross_series_reducer = "REDUCE_SUM"
      }
    }
  }

  documentation {
    content   = local.runbooks["error-rate"]
    mime_type = "text/markdown"
  }
  alert_strategy {
    auto_close = "1800s"
  }
}

# Includes functions that no request waits for: workers, ticks, sweeps.
resource "google_monitoring_alert_policy" "function_errors" {
  project               = var.project_id
  display_name          = "Populus ${var.environment}: a function logs errors"
  severity              = "ERROR"
  combiner              = "OR"
  notification_channels = local.channels
  user_labels           = var.labels

  conditions {
    display_name = "Errors of a function in ten minutes"
    condition_threshold {
      filter          = local.logged["function_errors"]
      comparison      = "COMPARISON_GT"
      threshold_value = var.thresholds.errors_of_function - 1
      duration        = "0s"

      aggregations {
        alignment_period     = "600s"
        per_series_aligner   = "ALIGN_DELTA"
        cross_series_reducer = "REDUCE_SUM"
        group_by_fields      = ["metric.label.function"]
      }
    }
  }

  documentation {
    content   = local.runbooks["function-errors"]
    mime_type = "text/markdown"
  }
  alert_strategy {
    auto_close = "3600s"
  }
}

# Failed from two of three locations: a single one may be that location's network.
resource "google_monitoring_alert_policy" "uptime" {
  project               = var.project_id
  display_name          = "Populus ${var.environment}: a base URL does not answer"
  severity              = "CRITICAL"
  combiner              = "OR"
  notification_channels = local.channels
  user_labels           = var.labels

  conditions {
    display_name = "Locations from which a host fails"
    condition_threshold {
      filter          = local.checks
      comparison      = "COMPARISON_GT"
      threshold_value = 1
      duration        = "300s"

      aggregations {
        alignment_period     = "600s"
        per_series_aligner   = "ALIGN_NEXT_OLDER"
        cross_series_reducer = "REDUCE_COUNT_FALSE"
        group_by_fields      = ["resource.label.host"]
      }
    }
  }

  documentation {
    content   = local.runbooks["uptime"]
    mime_type = "text/markdown"
  }
  alert_strategy {
    auto_close = "1800s"
  }
}

# The documents need no key, and an answer has passed certificate, load balancer, rate limits and a function. Three locations are the minimum. An
# interval of five minutes keeps the cost low.
resource "google_monitoring_uptime_check_config" "host" {
  for_each = var.hosts

  project          = var.project_id
  display_name     = "Populus ${var.environment}: ${each.value}"
  period           = "300s"
  timeout          = "10s"
  selected_regions = ["EUROPE", "USA_IOWA", "USA_VIRGINIA"]
  user_labels      = var.labels

  monitored_resource {
    type   = "uptime_url"
    labels = { project_id = var.project_id, host = each.value }
  }

  http_check {
    path           = "/openapi.json"
    port           = 443
    request_method = "GET"
    use_ssl        = true
    validate_ssl   = true

    accepted_response_status_codes {
      status_value = 200
    }
  }

  content_matchers {
    content = "\"openapi\""
    matcher = "CONTAINS_STRING"
  }
}
