# What is watched, from the generated tables of journeys, objectives and log metrics.
variables {
  endpoints   = ["aggregation-preview", "aggregation-results", "aggregation-status", "aggregation-submit", "auth-login", "realtime-data"]
  log_metrics = jsondecode(file("../../../infra/generated/log-metrics.json"))
  objectives  = jsondecode(file("../../../infra/generated/objectives.json"))
  url_map     = "populus"
}

run "goals_and_thresholds_are_those_of_the_service" {
  command = plan

  assert {
    condition = { for id, one in output.slos : id => [one.goal, try(one.distribution.max, null)] } == {
      availability     = [0.999, null]
      job-overhead     = [0.95, 2000]
      login-latency    = [0.95, 300]
      preview-latency  = [0.95, 3000]
      realtime-latency = [0.95, 300]
      status-latency   = [0.95, 300]
      tick-freshness   = [0.99, null]
    }
    error_message = "Other objectives: ${jsonencode(output.slos)}"
  }
}

run "availability_counts_what_the_load_balancer_answered" {
  command = plan

  assert {
    condition = output.slos["availability"].ratio == {
      bad   = "resource.type=\"https_lb_rule\" AND resource.labels.url_map_name=\"populus\" AND metric.type=\"loadbalancing.googleapis.com/https/request_count\" AND metric.labels.response_code_class=500"
      good  = null
      total = "resource.type=\"https_lb_rule\" AND resource.labels.url_map_name=\"populus\" AND metric.type=\"loadbalancing.googleapis.com/https/request_count\""
    }
    error_message = jsonencode(output.slos["availability"])
  }
}

run "latency_is_of_one_endpoint_and_of_successful_answers" {
  command = plan

  assert {
    condition = alltrue([
      for id, endpoint in { login-latency = "auth-login", preview-latency = "aggregation-preview", realtime-latency = "realtime-data", status-latency = "aggregation-status" } :
      strcontains(output.slos[id].distribution.filter, "resource.labels.backend_target_name=\"${endpoint}\"") && strcontains(output.slos[id].distribution.filter, "response_code_class=200") && output.slos[id].ratio == null
    ])
    error_message = jsonencode(output.slos)
  }
}

run "jobs_and_ticks_are_measured_by_the_log" {
  command = plan

  assert {
    condition     = endswith(output.slos["job-overhead"].distribution.filter, "metric.type=\"logging.googleapis.com/user/populus/job_overhead\"")
    error_message = jsonencode(output.slos["job-overhead"])
  }
  assert {
    condition = [for side in ["good", "total"] : trimprefix(output.slos["tick-freshness"].ratio[side], "resource.type=\"cloud_run_revision\" AND metric.type=\"logging.googleapis.com/user/populus/")] == [
      "ticks_fresh\"", "ticks_ended\""
    ]
    error_message = jsonencode(output.slos["tick-freshness"])
  }
}

run "every_objective_alerts_at_14_4_over_an_hour_and_5_minutes_and_at_6_over_6_hours_and_30" {
  command = plan

  assert {
    condition = alltrue([for id in keys(output.slos) : [
      for speed in ["fast", "slow"] : [output.burn_alerts["${id}-${speed}"].rate, output.burn_alerts["${id}-${speed}"].windows, output.burn_alerts["${id}-${speed}"].slo]
    ] == [[14.4, [3600, 300], id], [6, [21600, 1800], id]]]) && length(output.burn_alerts) == 2 * length(output.slos)
    error_message = jsonencode(output.burn_alerts)
  }
  assert {
    condition     = alltrue([for one in values(output.burn_alerts) : one.events.seconds == one.windows[0] && one.events.min >= 1])
    error_message = "The events that an alert needs are those of its long window."
  }
}

run "an_objective_of_a_withheld_endpoint_is_left_out_with_its_alerts" {
  command = plan
  variables {
    endpoints = ["auth-login"]
  }

  assert {
    condition     = [for id in keys(output.slos) : id if endswith(id, "latency")] == ["login-latency"] && length(output.burn_alerts) == 8
    error_message = jsonencode(keys(output.burn_alerts))
  }
}

run "the_dashboard_has_four_tiles_to_a_journey_and_every_objective_once" {
  command = plan

  assert {
    condition     = length(output.tiles) == 4 * length(output.journeys)
    error_message = jsonencode(output.tiles[*].title)
  }
  assert {
    condition     = sort(compact(flatten([for tile in output.tiles : tile.lines[*].slo]))) == sort(keys(output.slos))
    error_message = jsonencode(flatten([for tile in output.tiles : tile.lines[*].slo]))
  }
  assert {
    condition     = alltrue(flatten([for tile in output.tiles : [length(tile.lines) > 0, [for line in tile.lines : (line.slo == null) != (line.filter == null)]]]))
    error_message = "A tile without a line, or a line without one source."
  }
}
