# The functions' environment variables. Their names and patterns come from the code that reads them.
variables {
  arrival_hour           = 6
  bytes_billed_max       = 1099511627776
  cors_origins           = ["https://maps.example.com", "http://localhost:5173"]
  candidate_hosts        = { data = "data-candidate.example.com", users = "users-candidate.example.com" }
  delivery_project       = "populus-prod-delivery"
  environment            = "prod"
  hosts                  = { data = "data.example.com", users = "users.example.com" }
  ingress                = "INGRESS_TRAFFIC_INTERNAL_LOAD_BALANCER"
  interactive_bytes_max  = 100000000000
  more_delivery_projects = ["populus-prod-more"]
  patterns               = jsondecode(file("../../../infra/generated/environment-variables.json"))
  project_id             = "populus-prod"
  project_number         = "123456789"
  query_price            = { currency = "USD", per_tib = 6.25 }
  queue_name             = "aggregations"
  queue_region           = "europe-west1"
  rate                   = { burst = 500, per_second = 100 }
  region                 = "europe-north1"
  traces                 = { endpoint = "http://otel-collector.internal:4318", share = 0.1 }
}

run "all_variables" {
  command = plan

  assert {
    condition = output.environment_variables == {
      ACCOUNTS_PROJECT            = "populus-prod-delivery,populus-prod-more"
      ARRIVAL_HOUR                = "6"
      BYTES_BILLED_MAX            = "1099511627776"
      CORS_ORIGINS                = "http://localhost:5173,https://maps.example.com"
      DATA_BASE_URL               = "https://data.example.com"
      ENVIRONMENT                 = "prod"
      EXPORT_BUCKET               = "populus-prod-exports"
      FIRESTORE_DATABASE          = "(default)"
      FIRESTORE_USAGE_DATABASE    = "usage"
      GOOGLE_CLOUD_PROJECT        = "populus-prod"
      INTERACTIVE_BYTES_MAX       = "100000000000"
      LANDINGS_TOPIC              = "landings"
      LANDING_BUCKET              = "populus-prod-landing"
      LOG_EXECUTION_ID            = "false"
      MEASUREMENTS_TOPIC          = "measurements"
      METADATA_SERVER_DETECTION   = "assume-present"
      OTEL_EXPORTER_OTLP_ENDPOINT = "http://otel-collector.internal:4318"
      OTEL_TRACES_SAMPLER_ARG     = "0.1"
      QUERY_PRICE_CURRENCY        = "USD"
      QUERY_PRICE_PER_TIB         = "6.25"
      QUEUE                       = "aggregations"
      QUEUE_REGION                = "europe-west1"
      QUEUE_SERVICE_ACCOUNT       = "task-queue@populus-prod.iam.gserviceaccount.com"
      RATE_BURST                  = "500"
      RATE_PER_SECOND             = "100"
      REGION                      = "europe-north1"
      TICK_SECONDS                = "300"
      TOPIC                       = "aggregations"
      USERS_BASE_URL              = "https://users.example.com"
    }
    error_message = "Set otherwise: ${jsonencode(output.environment_variables)}"
  }
}

run "variables_name_the_queue_its_account_the_topic_and_the_bucket_that_are_created" {
  command = plan

  assert {
    condition = [for name in ["EXPORT_BUCKET", "QUEUE", "QUEUE_REGION", "QUEUE_SERVICE_ACCOUNT", "MEASUREMENTS_TOPIC", "LANDING_BUCKET", "LANDINGS_TOPIC", "TOPIC"] : output.environment_variables[name]] == [
      output.buckets.exports, output.queue.name, output.queue.region, output.queue.email, output.published_topics.measurements, output.buckets.landing, output.landings_topic, output.topic
    ]
    error_message = "A variable names something that is not created."
  }
  assert {
    condition     = output.queue.email == "${output.queue.account_id}@populus-prod.iam.gserviceaccount.com" && alltrue([for name in values(output.published_topics) : contains(output.topics.of_workers, name)])
    error_message = "The queue's account or topic is another."
  }
}

run "a_reservation_is_named_to_functions_whose_queries_somebody_waits_for" {
  command = plan
  variables {
    interactive_reservation = "projects/populus-slots/locations/europe-north1/reservations/interactive"
  }

  assert {
    condition = { for name, one in output.functions : name => one.environment_variables } == {
      for name, needs in jsondecode(file("../../../infra/generated/permissions.json")) : name => merge(output.environment_variables, contains(needs.grants, "use_reservation") ? {
        INTERACTIVE_RESERVATION = "projects/populus-slots/locations/europe-north1/reservations/interactive"
      } : {})
    }
    error_message = "A function has other variables than all have, and the reservation."
  }
  assert {
    condition     = contains(keys(output.functions["aggregation-preview"].environment_variables), "INTERACTIVE_RESERVATION") && !contains(keys(output.functions["aggregation-run"].environment_variables), "INTERACTIVE_RESERVATION")
    error_message = "A preview waits for its query, a job's run does not."
  }
}

run "without_a_reservation_no_function_is_told_one" {
  command = plan

  assert {
    condition     = alltrue([for one in values(output.functions) : one.environment_variables == output.environment_variables])
    error_message = "There is no reservation."
  }
}

run "without_origins_the_variable_is_left_out" {
  command = plan
  variables {
    cors_origins = []
  }

  assert {
    condition     = !contains(keys(output.environment_variables), "CORS_ORIGINS")
    error_message = "Cloud Run has no empty variables."
  }
}

run "without_a_collector_the_variable_is_left_out" {
  command = plan
  variables {
    traces = {}
  }

  assert {
    condition     = !contains(keys(output.environment_variables), "OTEL_EXPORTER_OTLP_ENDPOINT") && output.environment_variables["OTEL_TRACES_SAMPLER_ARG"] == "1"
    error_message = "Cloud Run has no empty variables."
  }
}

run "a_collector_with_credentials_in_its_url" {
  command = plan
  variables {
    traces = { endpoint = "https://user:secret@otel.example.com" }
  }
  expect_failures = [output.environment_variables]
}

run "a_variable_that_the_functions_read_and_that_is_not_set" {
  command = plan
  variables {
    patterns = merge(jsondecode(file("../../../infra/generated/environment-variables.json")), { QUEUE_DEPTH = null })
  }
  expect_failures = [output.environment_variables]
}

run "a_variable_that_no_function_reads" {
  command = plan
  variables {
    patterns = { for name, pattern in jsondecode(file("../../../infra/generated/environment-variables.json")) : name => pattern if name != "TOPIC" }
  }
  expect_failures = [output.environment_variables]
}

run "a_value_that_the_functions_would_refuse" {
  command = plan
  variables {
    patterns = merge(jsondecode(file("../../../infra/generated/environment-variables.json")), { QUERY_PRICE_PER_TIB = "^[0-9]+$" })
  }
  expect_failures = [output.environment_variables]
}
