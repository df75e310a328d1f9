# Objectives that could not be watched are refused.
variables {
  endpoints   = ["auth-login"]
  log_metrics = jsondecode(file("../../../infra/generated/log-metrics.json"))
  objectives = {
    burn_rates = { fast = { long_seconds = 3600, rate = 14.4, severity = "CRITICAL", short_seconds = 300 } }
    journeys   = { api = { endpoints = [], title = "Any request" } }
    objectives = { one = { events_min = 1, goal = 0.99, journey = "api", measure = { kind = "availability" }, runbook = "r", title = "t" } }
  }
  url_map = "populus"
}

run "an_objective_that_can_be_watched" {
  command = plan

  assert {
    condition     = keys(output.slos) == ["one"]
    error_message = jsonencode(output.slos)
  }
}

run "a_goal_without_a_budget" {
  command = plan
  variables {
    objectives = {
      burn_rates = {}
      journeys   = { api = { endpoints = [], title = "Any request" } }
      objectives = { one = { events_min = 1, goal = 1, journey = "api", measure = { kind = "availability" }, runbook = "r", title = "t" } }
    }
  }
  expect_failures = [var.objectives]
}

run "an_alert_that_would_never_fire" {
  command = plan
  variables {
    objectives = {
      burn_rates = { fast = { long_seconds = 3600, rate = 14.4, severity = "CRITICAL", short_seconds = 300 } }
      journeys   = { api = { endpoints = [], title = "Any request" } }
      objectives = { one = { events_min = 1, goal = 0.9, journey = "api", measure = { kind = "availability" }, runbook = "r", title = "t" } }
    }
  }
  expect_failures = [var.objectives]
}

run "an_unknown_measure" {
  command = plan
  variables {
    objectives = {
      burn_rates = {}
      journeys   = { api = { endpoints = [], title = "Any request" } }
      objectives = { one = { events_min = 1, goal = 0.99, journey = "api", measure = { kind = "mood" }, runbook = "r", title = "t" } }
    }
  }
  expect_failures = [var.objectives]
}

run "a_threshold_between_the_bounds_of_buckets" {
  command = plan
  variables {
    objectives = {
      burn_rates = {}
      journeys   = { api = { endpoints = [], title = "Any request" } }
      objectives = { one = { events_min = 1, goal = 0.99, journey = "api", measure = { kind = "distribution", metric = "job_overhead", most = 1999, total = "jobs_completed" }, runbook = "r", title = "t" } }
    }
  }
  expect_failures = [output.slos]
}

run "a_log_metric_that_does_not_exist" {
  command = plan
  variables {
    objectives = {
      burn_rates = {}
      journeys   = { api = { endpoints = [], title = "Any request" } }
      objectives = { one = { events_min = 1, goal = 0.99, journey = "api", measure = { kind = "ratio", good = "ticks", total = "tocks" }, runbook = "r", title = "t" } }
    }
  }
  expect_failures = [var.objectives]
}
