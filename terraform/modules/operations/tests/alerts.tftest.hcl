# What else is watched: hosts from several places, probes, metrics of the log, and who did what.
mock_provider "google" {}
mock_provider "time" {}

variables {
  alert_emails    = ["a@example.com"]
  archive_bucket  = "populus-prod-logs"
  audited         = { "storage.googleapis.com" = ["DATA_READ", "DATA_WRITE"] }
  endpoints       = ["auth-login"]
  environment     = "prod"
  function_emails = ["fn-auth-login@populus-prod.iam.gserviceaccount.com"]
  functions       = ["aggregation-sweep", "auth-login", "loading-arrivals", "loading-import", "realtime-refresh"]
  hosts           = { data = "data.example.com", users = "users.example.com" }
  log_metrics     = jsondecode(file("../../../infra/generated/log-metrics.json"))
  objectives      = jsondecode(file("../../../infra/generated/objectives.json"))
  project_id      = "populus-prod"
  project_numbers = ["2", "1"]
  queue           = "aggregations"
  region          = "europe-north1"
  subscriptions   = ["aggregation-run"]
  url_map         = "populus"
}

run "hosts_are_checked_from_two_regions_over_tls" {
  command = plan

  assert {
    condition = alltrue([
      for api, one in google_monitoring_uptime_check_config.host : (
        one.monitored_resource[0].labels.host == var.hosts[api] && one.http_check[0].use_ssl && one.http_check[0].validate_ssl && one.http_check[0].path == "/openapi.json"
        && contains(one.selected_regions, "EUROPE") && length([for region in one.selected_regions : region if startswith(region, "USA")]) >= 1 && length(one.selected_regions) >= 3
      )
    ]) && length(google_monitoring_uptime_check_config.host) == 2
    error_message = jsonencode(google_monitoring_uptime_check_config.host)
  }
  assert {
    condition     = google_monitoring_alert_policy.uptime.conditions[0].condition_threshold[0].threshold_value == 1 && strcontains(google_monitoring_alert_policy.uptime.conditions[0].condition_threshold[0].filter, "one_of(\"data.example.com\",\"users.example.com\")")
    error_message = jsonencode(google_monitoring_alert_policy.uptime.conditions)
  }
}

run "log_metrics_have_the_generated_filters" {
  command = plan

  assert {
    condition     = { for name, one in google_logging_metric.counter : name => [one.name, one.filter] } == { for name, one in var.log_metrics.counters : name => ["populus/${name}", one.filter] }
    error_message = jsonencode({ for name, one in google_logging_metric.counter : name => one.filter })
  }
  assert {
    condition = { for name, one in google_logging_metric.distribution : name => [one.filter, one.value_extractor, one.bucket_options[0].explicit_buckets[0].bounds] } == {
      for name, one in var.log_metrics.distributions : name => [one.filter, "EXTRACT(${one.field})", one.bounds]
    }
    error_message = jsonencode({ for name, one in google_logging_metric.distribution : name => one.bucket_options })
  }
  # Two alerts read the line itself, so that their message names the job, or the day.
  assert {
    condition = (
      google_monitoring_alert_policy.arrivals.conditions[0].condition_matched_log[0].filter == var.log_metrics.alerts["day_missing"]
      && google_monitoring_alert_policy.dead_letters.conditions[0].condition_matched_log[0].filter == var.log_metrics.alerts["job_given_up"]
      && google_monitoring_alert_policy.arrivals.alert_strategy[0].notification_rate_limit[0].period == "3600s"
    )
    error_message = jsonencode(google_monitoring_alert_policy.arrivals.conditions)
  }
}

run "without_probes_there_is_no_alert_on_them" {
  command = plan

  assert {
    condition     = length(google_monitoring_alert_policy.probes) == 0 && output.alerts.probes == null
    error_message = "An alert on probes that do not run would never end."
  }
}

run "a_probe_that_does_not_run_alerts_as_one_that_fails" {
  command = plan
  variables {
    probes = { europe-north1 = "probe-journey-europe-north1", us-east1 = "probe-journey-us-east1" }
  }

  assert {
    condition = alltrue([
      for condition in google_monitoring_alert_policy.probes["journey"].conditions : condition.condition_threshold[0].evaluation_missing_data == "EVALUATION_MISSING_DATA_ACTIVE" && condition.condition_threshold[0].comparison == "COMPARISON_LT"
    ]) && length(google_monitoring_alert_policy.probes["journey"].conditions) == 2
    error_message = jsonencode(google_monitoring_alert_policy.probes["journey"].conditions)
  }
}

run "the_audit_log_is_kept_twice_and_exempts_the_functions_alone" {
  command = plan

  assert {
    condition     = google_logging_project_bucket_config.audit.retention_days == 90 && toset(keys(google_logging_project_sink.audit)) == toset(["archive", "search"]) && alltrue([for one in google_logging_project_sink.audit : one.unique_writer_identity])
    error_message = "The audit log has one copy to search and one to keep."
  }
  assert {
    condition     = alltrue(flatten([for one in google_project_iam_audit_config.data : [for config in one.audit_log_config : toset(config.exempted_members) == toset(["serviceAccount:fn-auth-login@populus-prod.iam.gserviceaccount.com"])]]))
    error_message = "Somebody else than the functions is not in the audit log."
  }
  assert {
    condition     = alltrue([for config in google_project_iam_audit_config.tokens.audit_log_config : length(coalesce(config.exempted_members, [])) == 0])
    error_message = "Nobody mints a token unseen."
  }
}

run "a_budget_counts_both_projects_and_warns_before_it_is_used_up" {
  command = plan
  variables {
    budget = { amount = 300, billing_account = "012345-6789AB-CDEF01" }
  }

  assert {
    condition     = google_billing_budget.month["month"].amount[0].specified_amount[0].units == "300" && google_billing_budget.month["month"].budget_filter[0].projects == toset(["projects/1", "projects/2"])
    error_message = jsonencode(google_billing_budget.month["month"])
  }
  assert {
    condition     = sort([for rule in google_billing_budget.month["month"].threshold_rules : tostring(rule.threshold_percent)]) == tolist(["0.5", "0.9", "1", "1.2"])
    error_message = jsonencode(google_billing_budget.month["month"].threshold_rules)
  }
}

run "what_cannot_be_watched_is_refused" {
  command = plan
  variables {
    alert_emails         = ["nobody"]
    audit_retention_days = 7
    budget               = { amount = 0.5, billing_account = "my account" }
    functions            = ["auth-login"]
    subscriptions        = []
    thresholds           = { error_share = 2, message_age_seconds = 1, query_tib_per_day = 0, refusals = 0, tick_seconds = 300, ticks_missed = 1 }
  }
  expect_failures = [var.alert_emails, var.audit_retention_days, var.budget, var.functions, var.subscriptions, var.thresholds]
}
