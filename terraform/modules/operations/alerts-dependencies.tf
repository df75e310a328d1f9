# The functions' dependencies: whether they refuse calls, and what they cost.
resource "google_monitoring_alert_policy" "refusals" {
  project               = var.project_id
  display_name          = "Populus ${var.environment}: Firestore, BigQuery or another service refuses"
  severity              = "ERROR"
  combiner              = "OR"
  notification_channels = local.channels
  user_labels           = var.labels

  conditions {
    display_name = "Calls in ten minutes that met a quota or an outage"
    condition_threshold {
      filter          = local.refused
      comparison      = "COMPARISON_GT"
      threshold_value = var.thresholds.refusals - 1
      duration        = "0s"

      aggregations {
        alignment_period     = "600s"
        per_series_aligner   = "ALIGN_DELTA"
        cross_series_reducer = "REDUCE_SUM"
        group_by_fields      = ["resource.label.service"]
      }
    }
  }

  conditions {
    display_name = "Calls in ten minutes refused because of a missing role"
    condition_threshold {
      filter          = local.forbidden
      comparison      = "COMPARISON_GT"
      threshold_value = 5
      duration        = "0s"

      aggregations {
        alignment_period     = "600s"
        per_series_aligner   = "ALIGN_DELTA"
        cross_series_reducer = "REDUCE_SUM"
        group_by_fields      = ["resource.label.service"]
      }
    }
  }

  documentation {
    content   = local.runbooks["refusals"]
    mime_type = "text/markdown"
  }
  alert_strategy {
    auto_close = "3600s"
  }
}

# The one cost that can grow without bound. The budget's own message comes a day later. BigQuery's metrics of a query come some minutes after it has
# succeeded (seven, says https://docs.cloud.google.com/bigquery/docs/monitoring; not verified for this metric). Failed queries have none.
resource "google_monitoring_alert_policy" "query_bytes" {
  project               = var.project_id
  display_name          = "Populus ${var.environment}: queries read too much"
  severity              = "WARNING"
  combiner              = "OR"
  notification_channels = local.channels
  user_labels           = var.labels

  conditions {
    display_name = "Bytes billed in a day"
    condition_threshold {
      filter          = local.bytes_billed
      comparison      = "COMPARISON_GT"
      threshold_value = var.thresholds.query_tib_per_day * 1099511627776
      duration        = "0s"

      aggregations {
        alignment_period     = "86400s"
        per_series_aligner   = "ALIGN_SUM"
        cross_series_reducer = "REDUCE_SUM"
      }
    }
  }

  documentation {
    content   = local.runbooks["budget"]
    mime_type = "text/markdown"
  }
  alert_strategy {
    auto_close = "86400s"
  }
}

# It only notifies. BYTES_BILLED_MAX for each query and the customers' quotas are what stops queries.
resource "google_billing_budget" "month" {
  for_each = var.budget == null ? {} : { month = var.budget }

  billing_account = each.value.billing_account
  display_name    = "Populus ${var.environment}"

  budget_filter {
    projects        = [for number in sort(var.project_numbers) : "projects/${number}"]
    calendar_period = "MONTH"
  }

  amount {
    specified_amount {
      units = tostring(each.value.amount)
    }
  }

  dynamic "threshold_rules" {
    for_each = { "0.5" = "CURRENT_SPEND", "0.9" = "CURRENT_SPEND", "1.0" = "CURRENT_SPEND", "1.2" = "FORECASTED_SPEND" }
    iterator = rule
    content {
      threshold_percent = tonumber(rule.key)
      spend_basis       = rule.value
    }
  }

  all_updates_rule {
    monitoring_notification_channels = local.channels
    disable_default_iam_recipients   = false
  }
}
