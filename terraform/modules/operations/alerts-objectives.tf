# Error budgets that burn too fast: over a long window, so that it matters, and still over a short one, so that the alert ends soon after the cause. The
# third condition keeps a quiet night from alerting on one slow request. https://sre.google/workbook/alerting-on-slos/
resource "google_monitoring_alert_policy" "burn_rate" {
  for_each = module.plan.burn_alerts

  project               = var.project_id
  display_name          = "Populus ${var.environment}: ${each.value.title}: the error budget burns ${each.value.rate} times too fast"
  severity              = each.value.severity
  combiner              = "AND"
  notification_channels = local.channels
  user_labels           = var.labels

  dynamic "conditions" {
    for_each = { for seconds in each.value.windows : tostring(seconds) => seconds }
    iterator = window
    content {
      display_name = "Burn rate over ${window.value / 60} minutes"
      condition_threshold {
        filter          = "select_slo_burn_rate(\"${google_monitoring_slo.objective[each.value.slo].name}\", \"${window.value}s\")"
        comparison      = "COMPARISON_GT"
        threshold_value = each.value.rate
        duration        = "0s"
      }
    }
  }

  conditions {
    display_name = "Events in ${each.value.events.seconds / 60} minutes"
    condition_threshold {
      filter          = each.value.events.filter
      comparison      = "COMPARISON_GT"
      threshold_value = each.value.events.min - 1
      duration        = "0s"

      aggregations {
        alignment_period     = "${each.value.events.seconds}s"
        per_series_aligner   = "ALIGN_DELTA"
        cross_series_reducer = "REDUCE_SUM"
      }
    }
  }

  documentation {
    content   = local.runbooks[each.value.runbook]
    mime_type = "text/markdown"
  }
  alert_strategy {
    auto_close = "${each.value.auto_close}s"
  }
}
