# Filters of Cloud Monitoring: https://cloud.google.com/monitoring/api/v3/filters
locals {
  balancer = "resource.type=\"https_lb_rule\" AND resource.labels.url_map_name=\"${var.url_map}\""
  requests = "${local.balancer} AND metric.type=\"loadbalancing.googleapis.com/https/request_count\""
  failed   = "${local.requests} AND metric.labels.response_code_class=500"

  # From the request's first byte at the backend to the last of its answer: the start of an instance counts, the client's network does not.
  answered = "${local.balancer} AND metric.type=\"loadbalancing.googleapis.com/https/backend_latencies\" AND metric.labels.response_code_class=200"

  logged = {
    for name in concat(keys(var.log_metrics.counters), keys(var.log_metrics.distributions)) :
    name => "resource.type=\"cloud_run_revision\" AND metric.type=\"logging.googleapis.com/user/populus/${name}\""
  }

  objectives = {
    for id, one in var.objectives.objectives : id => one if one.measure.kind != "latency" || contains(var.endpoints, coalesce(one.measure.endpoint, "none"))
  }

  # One of `distribution` and `ratio` is null. Availability counts what no function answered, too: its lines would be missing from the log.
  slos = {
    for id, one in local.objectives : id => {
      goal    = one.goal
      journey = one.journey
      runbook = one.runbook
      title   = one.title
      distribution = (
        one.measure.kind == "latency" ? { filter = "${local.answered} AND resource.labels.backend_target_name=\"${one.measure.endpoint}\"", max = one.measure.milliseconds } :
        one.measure.kind == "distribution" ? { filter = local.logged[one.measure.metric], max = one.measure.most } : null
      )
      ratio = (
        one.measure.kind == "availability" ? { bad = local.failed, good = null, total = local.requests } :
        one.measure.kind == "ratio" ? { bad = null, good = local.logged[one.measure.good], total = local.logged[one.measure.total] } : null
      )
    }
  }

  # What an alert counts to know that its long window had enough events.
  events = {
    for id, one in local.objectives : id => (
      one.measure.kind == "availability" ? local.failed :
      one.measure.kind == "latency" ? "${local.requests} AND resource.labels.backend_target_name=\"${one.measure.endpoint}\"" : local.logged[one.measure.total]
    )
  }

  burn_alerts = merge([
    for id, one in local.objectives : {
      for speed, burn in var.objectives.burn_rates : "${id}-${speed}" => {
        events     = { filter = local.events[id], min = one.events_min, seconds = burn.long_seconds }
        rate       = burn.rate
        runbook    = one.runbook
        severity   = burn.severity
        slo        = id
        speed      = speed
        title      = one.title
        windows    = [burn.long_seconds, burn.short_seconds]
        auto_close = burn.long_seconds
      }
    }
  ]...)
}
