# Two pages. The first is in the order of a diagnosis: requests, functions, jobs, headcounts, dependencies, costs.
locals {
  charts = [
    { title = "Requests a second, by class of answer", filter = local.requests, aligner = "ALIGN_RATE", reducer = "REDUCE_SUM", by = ["metric.label.response_code_class"] },
    { title = "Latency, 95th percentile (ms), by endpoint", filter = "${local.balancer} AND metric.type=\"loadbalancing.googleapis.com/https/backend_latencies\"", aligner = "ALIGN_PERCENTILE_95", reducer = "REDUCE_MAX", by = ["resource.label.backend_target_name"] },
    { title = "Requests a second that the rate limits allowed and blocked", filter = "resource.type=\"network_security_policy\" AND metric.type=\"networksecurity.googleapis.com/https/request_count\"", aligner = "ALIGN_RATE", reducer = "REDUCE_SUM", by = ["metric.label.blocked"] },
    { title = "Errors, by function", filter = local.logged["function_errors"], aligner = "ALIGN_DELTA", reducer = "REDUCE_SUM", by = ["metric.label.function"] },
    { title = "Warnings, by function", filter = local.logged["function_warnings"], aligner = "ALIGN_DELTA", reducer = "REDUCE_SUM", by = ["metric.label.function"] },
    { title = "Instances, by function", filter = "${local.run} AND metric.type=\"run.googleapis.com/container/instance_count\"", aligner = "ALIGN_MAX", reducer = "REDUCE_SUM", by = ["resource.label.service_name"] },
    { title = "Startup latency, 95th percentile (ms), by function", filter = "${local.run} AND metric.type=\"run.googleapis.com/container/startup_latencies\"", aligner = "ALIGN_PERCENTILE_95", reducer = "REDUCE_MAX", by = ["resource.label.service_name"] },
    { title = "Memory in use, share of the limit, by function", filter = "${local.run} AND metric.type=\"run.googleapis.com/container/memory/utilizations\"", aligner = "ALIGN_PERCENTILE_99", reducer = "REDUCE_MAX", by = ["resource.label.service_name"] },
    { title = "Tasks in the queue", filter = "resource.type=\"cloud_tasks_queue\" AND resource.labels.queue_id=\"${var.queue}\" AND metric.type=\"cloudtasks.googleapis.com/queue/depth\"", aligner = "ALIGN_MAX", reducer = "REDUCE_SUM", by = [] },
    { title = "Age of the oldest message (s), by subscription", filter = local.message_age, aligner = "ALIGN_MAX", reducer = "REDUCE_MAX", by = ["resource.label.subscription_id"] },
    { title = "Dead letters, by subscription", filter = local.dead_letters, aligner = "ALIGN_DELTA", reducer = "REDUCE_SUM", by = ["resource.label.subscription_id"] },
    { title = "Jobs past their deadline that a sweep found", filter = local.logged["sweep_overdue"], aligner = "ALIGN_PERCENTILE_99", reducer = "REDUCE_MAX", by = [] },
    { title = "Untouched jobs", filter = local.logged["sweep_untouched"], aligner = "ALIGN_PERCENTILE_99", reducer = "REDUCE_MAX", by = [] },
    { title = "Ticks finished in a quarter of an hour (three are due)", filter = local.logged["ticks"], aligner = "ALIGN_DELTA", reducer = "REDUCE_SUM", by = [], seconds = 900 },
    { title = "Duration of a tick (ms)", filter = local.tick_time, aligner = "ALIGN_PERCENTILE_99", reducer = "REDUCE_MAX", by = [] },
    { title = "Calls that Google's services refused, by service and code", filter = "${local.calls} AND metric.labels.response_code_class!=\"2xx\"", aligner = "ALIGN_DELTA", reducer = "REDUCE_SUM", by = ["resource.label.service", "metric.label.response_code"] },
    { title = "Bytes billed by BigQuery, an hour", filter = local.bytes_billed, aligner = "ALIGN_SUM", reducer = "REDUCE_SUM", by = [], seconds = 3600 },
    { title = "Documents that Firestore read", filter = "resource.type=\"firestore.googleapis.com/Database\" AND metric.type=\"firestore.googleapis.com/document/read_ops_count\"", aligner = "ALIGN_DELTA", reducer = "REDUCE_SUM", by = [] },
    { title = "Bytes of logs", filter = "resource.type=\"global\" AND metric.type=\"logging.googleapis.com/billing/bytes_ingested\"", aligner = "ALIGN_DELTA", reducer = "REDUCE_SUM", by = [], seconds = 3600 },
    { title = "Audit entries, by function", filter = local.logged["audit_entries"], aligner = "ALIGN_DELTA", reducer = "REDUCE_SUM", by = ["metric.label.function"] },
  ]
}

# Google omits positions of 0 and empty lists from its answers. They are omitted here too, otherwise Terraform would see a change each time.
resource "google_monitoring_dashboard" "service" {
  project = var.project_id

  dashboard_json = jsonencode({
    displayName = "Populus ${var.environment}"
    labels      = { for key, value in var.labels : key => "" }
    mosaicLayout = {
      columns = 48
      tiles = [
        for index, chart in local.charts : merge(
          { for side, at in { xPos = index % 3 * 16, yPos = floor(index / 3) * 12 } : side => at if at > 0 },
          { width = 16, height = 12, widget = { title = chart.title, xyChart = { dataSets = [local.lines[index]] } } },
        )
      ]
    }
  })
}

locals {
  lines = [
    for chart in local.charts : {
      plotType   = "LINE"
      targetAxis = "Y1"
      timeSeriesQuery = {
        timeSeriesFilter = {
          filter = chart.filter
          aggregation = merge(
            { alignmentPeriod = "${try(chart.seconds, 300)}s", perSeriesAligner = chart.aligner, crossSeriesReducer = chart.reducer },
            { for name, fields in { groupByFields = chart.by } : name => fields if length(fields) > 0 },
          )
        }
      }
    }
  ]
}
