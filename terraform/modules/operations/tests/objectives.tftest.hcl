# Objectives and the alerts on their budgets, as modules/operations-plan decides them. Applied with a provider that only knows its schema.
mock_provider "google" {
  # Google's own provider takes members in their forms alone, which Terraform does not make up.
  mock_resource "google_logging_project_sink" {
    defaults = { writer_identity = "serviceAccount:service-123456789@gcp-sa-logging.iam.gserviceaccount.com" }
  }
}
mock_provider "time" {}

variables {
  alert_emails    = ["a@example.com", "b@example.com"]
  archive_bucket  = "populus-prod-logs"
  audited         = { "storage.googleapis.com" = ["DATA_READ", "DATA_WRITE"] }
  endpoints       = ["aggregation-preview", "aggregation-results", "aggregation-status", "aggregation-submit", "auth-login", "realtime-data"]
  environment     = "prod"
  function_emails = ["fn-auth-login@populus-prod.iam.gserviceaccount.com"]
  functions       = ["aggregation-sweep", "auth-login", "loading-arrivals", "loading-import", "realtime-refresh"]
  hosts           = { data = "data.example.com", users = "users.example.com" }
  log_metrics     = jsondecode(file("../../../infra/generated/log-metrics.json"))
  objectives      = jsondecode(file("../../../infra/generated/objectives.json"))
  probes          = { europe-north1 = "probe-journey-europe-north1", us-east1 = "probe-journey-us-east1" }
  project_id      = "populus-prod"
  project_numbers = ["1", "2"]
  queue           = "aggregations"
  region          = "europe-north1"
  subscriptions   = ["aggregation-run", "aggregation-dead-letter"]
  url_map         = "populus"
}

run "every_objective_is_an_slo_over_28_days_of_its_journey" {
  command = apply

  assert {
    condition = {
      for id, one in google_monitoring_slo.objective : id => [one.goal, one.rolling_period_days, one.service, one.slo_id]
      } == {
      for id, one in module.plan.slos : id => [one.goal, 28, "populus-${one.journey}", id]
    }
    error_message = jsonencode({ for id, one in google_monitoring_slo.objective : id => [one.goal, one.rolling_period_days, one.service] })
  }
  assert {
    condition     = length(google_monitoring_slo.objective) == length(var.objectives.objectives) && length(google_monitoring_slo.objective) >= 7
    error_message = "An objective of infra/generated/objectives.json is not watched."
  }
  assert {
    condition     = alltrue([for one in google_monitoring_custom_service.journey : startswith(one.service_id, "populus-")]) && toset(keys(google_monitoring_custom_service.journey)) == toset(keys(var.objectives.journeys))
    error_message = "A journey is a service of Cloud Monitoring."
  }
  # An indicator is a cut through a distribution or a ratio, never both.
  assert {
    condition = alltrue([
      for id, one in google_monitoring_slo.objective : length(one.request_based_sli) == 1 && (
        module.plan.slos[id].distribution == null
        ? length(one.request_based_sli[0].distribution_cut) == 0 && one.request_based_sli[0].good_total_ratio[0].total_service_filter == module.plan.slos[id].ratio.total
        : length(one.request_based_sli[0].good_total_ratio) == 0 && one.request_based_sli[0].distribution_cut[0].distribution_filter == module.plan.slos[id].distribution.filter && one.request_based_sli[0].distribution_cut[0].range[0].max == module.plan.slos[id].distribution.max
      )
    ])
    error_message = jsonencode({ for id, one in google_monitoring_slo.objective : id => one.request_based_sli })
  }
  assert {
    condition     = google_monitoring_slo.objective["availability"].request_based_sli[0].good_total_ratio[0].bad_service_filter == module.plan.slos["availability"].ratio.bad
    error_message = "Availability counts what failed."
  }
}

run "every_budget_alerts_over_a_long_and_a_short_window_and_only_with_enough_events" {
  command = plan

  assert {
    condition = {
      for id, one in google_monitoring_alert_policy.burn_rate : id => [one.combiner, one.severity, length(one.conditions)]
    } == { for id, one in module.plan.burn_alerts : id => ["AND", one.severity, 3] }
    error_message = jsonencode({ for id, one in google_monitoring_alert_policy.burn_rate : id => [one.combiner, one.severity, length(one.conditions)] })
  }
  # The names are Google's: the alert names the objective by what it is called once it is there.
  assert {
    condition = alltrue([
      for id, one in google_monitoring_alert_policy.burn_rate : toset([
        for condition in one.conditions : [condition.condition_threshold[0].filter, condition.condition_threshold[0].threshold_value]
        if startswith(condition.condition_threshold[0].filter, "select_slo_burn_rate")
        ]) == toset([
        for seconds in module.plan.burn_alerts[id].windows : ["select_slo_burn_rate(\"${google_monitoring_slo.objective[module.plan.burn_alerts[id].slo].name}\", \"${seconds}s\")", module.plan.burn_alerts[id].rate]
      ])
    ])
    error_message = jsonencode(google_monitoring_alert_policy.burn_rate["availability-fast"].conditions)
  }
  assert {
    condition = alltrue([
      for id, one in google_monitoring_alert_policy.burn_rate : [
        for condition in one.conditions : [condition.condition_threshold[0].filter, condition.condition_threshold[0].threshold_value, condition.condition_threshold[0].aggregations[0].alignment_period, condition.condition_threshold[0].comparison]
        if !startswith(condition.condition_threshold[0].filter, "select_slo_burn_rate")
      ] == [[module.plan.burn_alerts[id].events.filter, module.plan.burn_alerts[id].events.min - 1, "${module.plan.burn_alerts[id].events.seconds}s", "COMPARISON_GT"]]
    ])
    error_message = jsonencode(google_monitoring_alert_policy.burn_rate["availability-fast"].conditions)
  }
  # A literal pair beside the ones that are derived: 14.4 over an hour and five minutes.
  assert {
    condition     = sort([for condition in google_monitoring_alert_policy.burn_rate["login-latency-fast"].conditions : condition.display_name]) == tolist(["Burn rate over 5 minutes", "Burn rate over 60 minutes", "Events in 60 minutes"])
    error_message = jsonencode(google_monitoring_alert_policy.burn_rate["login-latency-fast"].conditions)
  }
}

run "every_alert_reaches_every_recipient_with_its_runbook" {
  command = plan

  assert {
    condition = alltrue([
      for one in concat(values(google_monitoring_alert_policy.burn_rate), values(google_monitoring_alert_policy.probes), [
        google_monitoring_alert_policy.arrivals, google_monitoring_alert_policy.dead_letters, google_monitoring_alert_policy.error_rate,
        google_monitoring_alert_policy.function_errors, google_monitoring_alert_policy.job_age, google_monitoring_alert_policy.new_network,
        google_monitoring_alert_policy.query_bytes, google_monitoring_alert_policy.refusals, google_monitoring_alert_policy.ticks, google_monitoring_alert_policy.uptime,
        ]) : (
        toset(one.notification_channels) == toset([for channel in google_monitoring_notification_channel.email : channel.id])
        && length(one.documentation[0].content) > 200 && one.documentation[0].mime_type == "text/markdown" && startswith(one.display_name, "Populus prod: ")
      )
    ])
    error_message = "An alert without a recipient or without its runbook."
  }
  # Each runbook of the folder is one alert's, and the output leads from one to the other.
  assert {
    condition     = toset(concat(keys(output.alerts), [for one in values(module.plan.burn_alerts) : one.runbook])) == toset(keys(local.runbooks))
    error_message = "Alerts without a runbook, or runbooks without an alert: ${jsonencode([keys(output.alerts), keys(local.runbooks)])}"
  }
  assert {
    condition     = alltrue([for name in values(output.alerts) : name != null])
    error_message = jsonencode(output.alerts)
  }
}
