# A customer's journey that nobody completes from a region: it fails, or the probe does not run. Missing data counts as too few.
resource "google_monitoring_alert_policy" "probes" {
  for_each = length(var.probes) > 0 ? { journey = var.probes } : {}

  project               = var.project_id
  display_name          = "Populus ${var.environment}: a customer's journey fails"
  severity              = "CRITICAL"
  combiner              = "OR"
  notification_channels = local.channels
  user_labels           = var.labels

  dynamic "conditions" {
    for_each = each.value
    iterator = probe
    content {
      display_name = "Journeys from ${probe.key} that succeeded in 15 minutes"
      condition_threshold {
        filter                  = "resource.type=\"cloud_run_job\" AND resource.labels.job_name=\"${probe.value}\" AND metric.type=\"run.googleapis.com/job/completed_execution_count\" AND metric.labels.result=\"succeeded\""
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
  }

  documentation {
    content   = local.runbooks["probes"]
    mime_type = "text/markdown"
  }
  alert_strategy {
    auto_close = "1800s"
  }
}
