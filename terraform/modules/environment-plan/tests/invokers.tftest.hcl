# Who may call a function, and from where. What the functions are comes from functions.json.
variables {
  bytes_billed_max      = 1099511627776
  candidate_hosts       = { data = "data-candidate.example.com", users = "users-candidate.example.com" }
  delivery_project      = "populus-prod-delivery"
  environment           = "prod"
  hosts                 = { data = "data.example.com", users = "users.example.com" }
  ingress               = "INGRESS_TRAFFIC_INTERNAL_LOAD_BALANCER"
  interactive_bytes_max = 100000000000
  patterns              = jsondecode(file("../../../infra/generated/environment-variables.json"))
  project_id            = "populus-prod"
  project_number        = "123456789"
  query_price           = { currency = "USD", per_tib = 6.25 }
  queue_name            = "aggregations"
  queue_region          = "europe-west1"
  rate                  = { burst = 500, per_second = 100 }
  region                = "europe-north1"
}

run "production" {
  command = plan

  assert {
    condition     = { for name, one in output.functions : name => one.trigger } == { for one in jsondecode(file("../../../infra/generated/functions.json")) : one.name => one.trigger }
    error_message = "Every function of functions.json is deployed, and no other."
  }
  assert {
    condition     = output.endpoints == toset([for name, one in output.functions : name if one.trigger == "http"])
    error_message = "The load balancer leads to every endpoint, and to nothing else."
  }
}

run "anyone_may_call_an_endpoint_which_requires_a_key_without_a_check" {
  command = plan

  assert {
    condition     = alltrue([for one in values(output.functions) : (one.invoker == null) == (one.trigger == "http")])
    error_message = "An endpoint authenticates by key, so Cloud Run does not check who calls; any other function has one invoker."
  }
}

run "where_every_service_has_a_check_allusers_pass_that_of_endpoints" {
  command = plan
  variables {
    endpoint_access = "ALL_USERS"
  }

  assert {
    condition     = { for name, one in output.functions : name => one.invoker == "allUsers" } == { for name, one in output.functions : name => one.trigger == "http" }
    error_message = "allUsers may call endpoints, and nothing else."
  }
}

run "nothing_is_kept_running_unless_it_is_asked_for" {
  command = plan

  assert {
    condition     = alltrue([for one in values(output.functions) : one.kind.min_instances == 0])
    error_message = "An idle function is not billed."
  }
}

run "the_login_previews_and_realtime_data_can_be_kept_running" {
  command = plan
  variables {
    min_instances = { login = 1, previews = 2, realtime_data = 3 }
  }

  assert {
    condition = { for name, one in output.functions : name => one.kind.min_instances if one.kind.min_instances > 0 } == merge(
      { auth-login = 1, realtime-data = 3 }, { for name, one in output.functions : name => 2 if one.kind.name == "preview" }
    )
    error_message = "Other functions keep instances."
  }
}

run "one_account_may_call_a_worker_and_it_may_call_nothing_else" {
  command = plan

  assert {
    condition = alltrue([
      for name, one in output.functions : one.invoker == "serviceAccount:${output.account_ids.callers[name]}@populus-prod.iam.gserviceaccount.com" if one.trigger != "http"
    ])
    error_message = "A worker is called by another member than its own caller: ${jsonencode({ for name, one in output.functions : name => one.invoker if one.trigger != "http" })}"
  }
  assert {
    condition     = length(distinct([for one in values(output.functions) : one.invoker if one.trigger != "http"])) == length([for one in values(output.functions) : one if one.trigger != "http"])
    error_message = "Two workers have the same caller."
  }
  assert {
    condition     = length(setintersection(values(output.functions)[*].account_id, values(output.account_ids.callers))) == 0
    error_message = "A function runs as an account that calls workers."
  }
}

run "a_worker_takes_calls_from_inside_google_and_an_endpoint_through_the_load_balancer" {
  command = plan

  assert {
    condition     = alltrue([for one in values(output.functions) : one.ingress == (one.trigger == "http" ? "INGRESS_TRAFFIC_INTERNAL_LOAD_BALANCER" : "INGRESS_TRAFFIC_INTERNAL_ONLY")])
    error_message = "A function is reached from elsewhere: ${jsonencode({ for name, one in output.functions : name => one.ingress })}"
  }
}

run "in_dev_endpoints_can_be_called_at_their_own_urls_but_workers_cannot" {
  command = plan
  variables {
    environment = "dev"
    ingress     = "INGRESS_TRAFFIC_ALL"
  }

  assert {
    condition     = alltrue([for one in values(output.functions) : one.ingress == (one.trigger == "http" ? "INGRESS_TRAFFIC_ALL" : "INGRESS_TRAFFIC_INTERNAL_ONLY")])
    error_message = "A function is reached from elsewhere: ${jsonencode({ for name, one in output.functions : name => one.ingress })}"
  }
}

run "a_topic_pushes_to_its_workers_as_their_invokers" {
  command = plan

  assert {
    condition     = { for name, one in output.workers : name => one.topic } == { for one in jsondecode(file("../../../infra/generated/functions.json")) : one.name => one.topic if one.trigger == "topic" }
    error_message = "Each worker has the topic of its definition."
  }
  assert {
    condition     = alltrue([for name, one in output.workers : "serviceAccount:${one.caller}" == output.functions[name].invoker])
    error_message = "A push comes as another account than the worker's invoker."
  }
  assert {
    condition     = output.topics.of_workers == toset([for one in values(output.workers) : one.topic]) && contains(output.topics.of_workers, output.topic)
    error_message = "The queue publishes to a topic with a worker."
  }
}

run "a_schedule_calls_its_function_as_its_invoker" {
  command = plan

  assert {
    condition     = toset(keys(output.schedules)) == toset([for one in jsondecode(file("../../../infra/generated/functions.json")) : one.name if one.trigger == "schedule"])
    error_message = "Each scheduled function has a schedule, and no other has one."
  }
  assert {
    condition     = alltrue([for name, one in output.schedules : "serviceAccount:${one.caller}" == output.functions[name].invoker])
    error_message = "A schedule calls as another account than the function's invoker."
  }
}

run "a_withheld_endpoint_has_no_function_no_route_and_no_grant" {
  command = plan
  variables {
    withheld = ["maps-list"]
  }

  assert {
    condition     = !contains(keys(output.functions), "maps-list") && !contains(output.endpoints, "maps-list") && !strcontains(jsonencode([output.routes, output.members]), "maps-list\"")
    error_message = "A function that is withheld is still there."
  }
}
