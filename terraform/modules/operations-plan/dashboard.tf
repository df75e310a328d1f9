# A row per journey: what is left of its budgets, who asks, what fails, and how long it takes, at the load balancer and in the function. A line has a
# filter, or the id of an objective (`slo`) whose budget it shows.
locals {
  rows = [for id in ["api", "sign-in", "preview", "job", "realtime"] : merge(var.objectives.journeys[id], { id = id }) if contains(keys(var.objectives.journeys), id)]

  # Cloud Monitoring names no endpoint for the whole API.
  backends = {
    for row in local.rows : row.id => length(row.endpoints) == 0 ? "" : " AND resource.labels.backend_target_name=one_of(${join(",", [for name in row.endpoints : jsonencode(name)])})"
  }
  services = {
    for row in local.rows : row.id => length(row.endpoints) == 0 ? "" : " AND resource.labels.service_name=one_of(${join(",", [for name in row.endpoints : jsonencode(name)])})"
  }

  # What a journey has besides its requests.
  own_times = {
    job      = [{ filter = local.logged["job_overhead"], legend = "job less its queries (ms)" }]
    realtime = [{ filter = local.logged["tick_age"], legend = "age of a tick (s)" }]
  }

  tiles = flatten([
    for row in local.rows : [
      {
        title = "${row.title}: error budget left"
        lines = [for id, one in local.slos : { slo = id, filter = null, legend = one.title, aligner = "ALIGN_NEXT_OLDER", reducer = null, by = [] } if one.journey == row.id]
      },
      {
        title = "${row.title}: requests a second, by class of answer"
        lines = [{ slo = null, filter = "${local.requests}${local.backends[row.id]}", legend = null, aligner = "ALIGN_RATE", reducer = "REDUCE_SUM", by = ["metric.label.response_code_class"] }]
      },
      {
        title = "${row.title}: 95th percentile at the load balancer (ms)"
        lines = [{ slo = null, filter = "${local.answered}${local.backends[row.id]}", legend = null, aligner = "ALIGN_PERCENTILE_95", reducer = "REDUCE_MAX", by = ["resource.label.backend_target_name"] }]
      },
      {
        title = "${row.title}: 95th percentile in the function (ms)"
        lines = concat(
          [{ slo = null, filter = "${local.logged["request_latency"]}${local.services[row.id]}", legend = null, aligner = "ALIGN_PERCENTILE_95", reducer = "REDUCE_MAX", by = ["resource.label.service_name"] }],
          [for own in try(local.own_times[row.id], []) : { slo = null, filter = own.filter, legend = own.legend, aligner = "ALIGN_PERCENTILE_95", reducer = "REDUCE_MAX", by = [] }],
        )
      },
    ]
  ])
}
