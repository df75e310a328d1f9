# The probes: their jobs, their accounts, and who may do what.
variables {
  bytes_billed_max      = 1099511627776
  delivery_project      = "populus-prod-delivery"
  environment           = "prod"
  candidate_hosts       = { data = "data-candidate.example.com", users = "users-candidate.example.com" }
  hosts                 = { data = "data.example.com", users = "users.example.com" }
  ingress               = "INGRESS_TRAFFIC_INTERNAL_LOAD_BALANCER"
  interactive_bytes_max = 100000000000
  patterns              = jsondecode(file("../../../infra/generated/environment-variables.json"))
  probe                 = { regions = ["us-east1", "europe-north1"] }
  project_id            = "populus-prod"
  project_number        = "123456789"
  query_price           = { currency = "USD", per_tib = 6.25 }
  queue_name            = "aggregations"
  queue_region          = "europe-west1"
  rate                  = { burst = 500, per_second = 100 }
  region                = "europe-north1"
}

run "each_region_tries_the_journey_and_one_tries_every_endpoint" {
  command = plan

  assert {
    condition = { for name, one in output.probe.jobs : name => [one.region, one.cron] } == {
      probe-endpoints             = ["europe-north1", "17 * * * *"]
      probe-journey-europe-north1 = ["europe-north1", "*/5 * * * *"]
      probe-journey-us-east1      = ["us-east1", "*/5 * * * *"]
    }
    error_message = jsonencode(output.probe.jobs)
  }
  assert {
    condition = output.probe.jobs["probe-journey-us-east1"].args == [
      "smoke.cjs", "--users", "https://users.example.com", "--data", "https://data.example.com",
      "--journey", "--objects", "https://storage.googleapis.com/storage/v1/b/populus-prod-exports/o"
    ]
    error_message = jsonencode(output.probe.jobs)
  }
}

run "the_runner_reads_one_secret_and_the_caller_starts_the_jobs_and_neither_has_more" {
  command = plan

  assert {
    condition = flatten([for kind, members in output.members : [for one in members : "${kind} ${one.role}" if one.member == "serviceAccount:${output.probe.runner.email}"]]) == [
      "probe_secret roles/secretmanager.secretAccessor"
    ]
    error_message = "The runner has other roles."
  }
  assert {
    condition = toset(flatten([for kind, members in output.members : [for one in members : "${kind} ${one.role}" if one.member == "serviceAccount:${output.probe.caller.email}"]])) == toset([
      "probe_job roles/run.invoker"
    ])
    error_message = "The caller has other roles."
  }
}

run "without_regions_there_are_no_probes" {
  command = plan
  variables {
    probe = {}
  }

  assert {
    condition     = length(output.probe.jobs) + length(output.members.probe_job) + length(output.members.probe_secret) == 0
    error_message = jsonencode(output.probe)
  }
}

run "one_region_is_not_enough" {
  command = plan
  variables {
    probe = { regions = ["europe-north1"] }
  }
  expect_failures = [var.probe]
}
