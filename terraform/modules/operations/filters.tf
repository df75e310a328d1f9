# Filters of Cloud Monitoring: https://cloud.google.com/monitoring/api/v3/filters
locals {
  run = "resource.type=\"cloud_run_revision\""

  # Via the sleep, so that users of these metrics wait until they exist.
  logged = { for name, metric in time_sleep.metrics.triggers : name => "${local.run} AND metric.type=\"logging.googleapis.com/user/${metric}\"" }

  # Only on the dashboard, which may name a metric that does not exist yet.
  chore = { for name, metric in google_logging_metric.chore : name => "${local.run} AND metric.type=\"logging.googleapis.com/user/${metric.name}\"" }

  balancer = "resource.type=\"https_lb_rule\" AND resource.labels.url_map_name=\"${var.url_map}\""
  requests = "${local.balancer} AND metric.type=\"loadbalancing.googleapis.com/https/request_count\""
  failed   = "${local.requests} AND metric.labels.response_code_class=500"

  # The uptime checks of this environment: two hosts, one check each.
  checks = "resource.type=\"uptime_url\" AND metric.type=\"monitoring.googleapis.com/uptime_check/check_passed\" AND resource.labels.host=one_of(${join(",", [for host in sort(values(var.hosts)) : jsonencode(host)])})"

  message_age  = "resource.type=\"pubsub_subscription\" AND metric.type=\"pubsub.googleapis.com/subscription/oldest_unacked_message_age\""
  watched_age  = "${local.message_age} AND resource.labels.subscription_id=one_of(${join(",", [for name in sort(var.subscriptions) : jsonencode(name)])})"
  dead_letters = "resource.type=\"pubsub_subscription\" AND metric.type=\"pubsub.googleapis.com/subscription/dead_letter_message_count\""
  tick_time    = "${local.run} AND resource.labels.service_name=\"realtime-refresh\" AND metric.type=\"run.googleapis.com/request_latencies\""
  given_up     = "${local.run} AND resource.labels.service_name=\"aggregation-dead-letter\" AND severity>=ERROR"

  # `shared/loading` logs both.
  missing_days = "${local.run} AND (resource.labels.service_name=\"loading-arrivals\" AND severity=ERROR AND jsonPayload.message=\"A day of data did not arrive\" OR resource.labels.service_name=\"loading-import\" AND severity=ERROR AND jsonPayload.message=\"A batch was quarantined\")"

  # Only the functions call cloudtasks, firestore and pubsub. In other services, refusals of customers and operators are expected.
  calls     = "resource.type=\"consumed_api\" AND metric.type=\"serviceruntime.googleapis.com/api/request_count\""
  refused   = "${local.calls} AND resource.labels.service=one_of(${join(",", [for name in ["bigquery", "cloudtasks", "firestore", "iamcredentials", "pubsub", "storage"] : jsonencode("${name}.googleapis.com")])}) AND metric.labels.response_code=one_of(\"429\",\"500\",\"502\",\"503\",\"504\")"
  forbidden = "${local.calls} AND resource.labels.service=one_of(${join(",", [for name in ["cloudtasks", "firestore", "pubsub"] : jsonencode("${name}.googleapis.com")])}) AND metric.labels.response_code=\"403\""

  # The resource is `global`: the API refuses bigquery_project for this metric.
  bytes_billed = "resource.type=\"global\" AND metric.type=\"bigquery.googleapis.com/query/scanned_bytes_billed\""
}
