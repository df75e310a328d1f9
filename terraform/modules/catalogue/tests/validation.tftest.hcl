# Each validation refuses what it is meant to refuse.
variables {
  functions = [
    { name = "docs-openapi-data", entry = "functions/docs/openapi-data.ts", trigger = "http", api = "data", method = "GET", path = "/openapi.json" },
    { name = "aggregation-estimate", entry = "functions/aggregation/estimate.ts", trigger = "http", api = "data", method = "POST", path = "/data-agg/estimate" },
    { name = "aggregation-preview", entry = "functions/aggregation/preview.ts", trigger = "http", api = "data", method = "GET", path = "/data-agg" },
    { name = "availability-list", entry = "functions/availability/list.ts", trigger = "http", api = "data", method = "GET", path = "/data-availability" },
    { name = "geographies-find", entry = "functions/geographies/find.ts", trigger = "http", api = "data", method = "GET", path = "/geographies" },
    { name = "realtime-history", entry = "functions/realtime/history.ts", trigger = "http", api = "data", method = "GET", path = "/admin/realtime/history" },
  ]
}

run "all_is_well_without_a_fault" {
  command = plan
}

run "a_name_that_is_no_name_of_a_service" {
  command = plan
  variables {
    functions = concat(var.functions, [{ name = "Extra_One", entry = "functions/x/extra.ts", trigger = "http", api = "data", method = "GET", path = "/extra" }])
  }
  expect_failures = [var.functions]
}

run "two_functions_of_one_name" {
  command = plan
  variables {
    functions = concat(var.functions, [{ name = "geographies-find", entry = "functions/x/extra.ts", trigger = "http", api = "data", method = "GET", path = "/extra" }])
  }
  expect_failures = [var.functions]
}

run "a_trigger_that_is_unknown" {
  command = plan
  variables {
    functions = concat(var.functions, [{ name = "extra", entry = "functions/x/extra.ts", trigger = "bucket" }])
  }
  expect_failures = [var.functions]
}

run "an_endpoint_without_a_method" {
  command = plan
  variables {
    functions = concat(var.functions, [{ name = "extra", entry = "functions/x/extra.ts", trigger = "http", api = "data", path = "/extra" }])
  }
  expect_failures = [var.functions]
}

run "an_api_that_has_no_host" {
  command = plan
  variables {
    functions = concat(var.functions, [{ name = "extra", entry = "functions/x/extra.ts", trigger = "http", api = "admin", method = "GET", path = "/extra" }, { name = "extra-document", entry = "functions/x/extra.ts", trigger = "http", api = "admin", method = "GET", path = "/openapi.json" }])
  }
  expect_failures = [var.functions]
}

run "a_path_that_a_url_map_reads_otherwise" {
  command = plan
  variables {
    functions = concat(var.functions, [{ name = "extra", entry = "functions/x/extra.ts", trigger = "http", api = "data", method = "GET", path = "/extra/*" }])
  }
  expect_failures = [var.functions]
}

run "a_path_with_too_many_wildcards" {
  command = plan
  variables {
    functions = concat(var.functions, [{ name = "extra", entry = "functions/x/extra.ts", trigger = "http", api = "data", method = "GET", path = "/a/{b}/{c}/{d}/{e}/{f}/{g}" }])
  }
  expect_failures = [var.functions]
}

run "two_endpoints_of_one_path" {
  command = plan
  variables {
    functions = concat(var.functions, [{ name = "extra", entry = "functions/x/extra.ts", trigger = "http", api = "data", method = "GET", path = "/geographies" }])
  }
  expect_failures = [var.functions]
}

run "two_templates_of_one_path" {
  command = plan
  variables {
    functions = concat(var.functions, [{ name = "extra", entry = "functions/x/extra.ts", trigger = "http", api = "data", method = "GET", path = "/extra/{a}" }, { name = "extra-two", entry = "functions/x/extra.ts", trigger = "http", api = "data", method = "GET", path = "/extra/{b}" }])
  }
  expect_failures = [var.functions]
}

run "an_api_without_a_document" {
  command = plan
  variables {
    functions = concat(var.functions, [{ name = "extra", entry = "functions/x/extra.ts", trigger = "http", api = "users", method = "GET", path = "/extra" }])
  }
  expect_failures = [var.functions]
}

run "a_worker_without_a_topic" {
  command = plan
  variables {
    functions = concat(var.functions, [{ name = "extra", entry = "functions/x/extra.ts", trigger = "topic" }])
  }
  expect_failures = [var.functions]
}

run "a_schedule_that_cron_cannot_say" {
  command = plan
  variables {
    functions = concat(var.functions, [{ name = "extra", entry = "functions/x/extra.ts", trigger = "schedule", every_seconds = 90 }])
  }
  expect_failures = [var.functions]
}

run "a_preview_that_is_gone" {
  command = plan
  variables {
    functions = [for one in var.functions : one if one.name != "geographies-find"]
  }
  expect_failures = [var.functions]
}

run "a_kind_that_is_unknown" {
  command = plan
  variables {
    sizing = { cron = { instances = 1 } }
  }
  expect_failures = [var.sizing]
}

run "instances_without_a_bound" {
  command = plan
  variables {
    sizing = { endpoint = { instances = 1000 } }
  }
  expect_failures = [var.sizing]
}

run "a_concurrency_beyond_cloud_run" {
  command = plan
  variables {
    sizing = { endpoint = { concurrency = 2000 } }
  }
  expect_failures = [var.sizing]
}

run "a_cpu_that_is_not_offered" {
  command = plan
  variables {
    sizing = { schedule = { cpu = "3" } }
  }
  expect_failures = [var.sizing]
}

run "several_requests_on_a_part_of_a_cpu" {
  command = plan
  variables {
    sizing = { endpoint = { cpu = "0.5" } }
  }
  expect_failures = [var.sizing]
}

run "a_memory_that_is_not_offered" {
  command = plan
  variables {
    sizing = { endpoint = { memory = "512M" } }
  }
  expect_failures = [var.sizing]
}

run "an_endpoint_cut_off_before_it_answers" {
  command = plan
  variables {
    sizing = { endpoint = { timeout_seconds = 30 } }
  }
  expect_failures = [var.sizing]
}

run "a_worker_slower_than_its_push" {
  command = plan
  variables {
    sizing = { worker = { timeout_seconds = 600 } }
  }
  expect_failures = [var.sizing]
}

run "withholding_what_is_not_there" {
  command = plan
  variables {
    withheld = ["maps-fly"]
  }
  expect_failures = [var.withheld]
}

run "withholding_what_answers_for_the_others" {
  command = plan
  variables {
    withheld = ["docs-openapi-data"]
  }
  expect_failures = [var.withheld]
}

run "dead_letters_that_would_come_back" {
  command = plan
  variables {
    functions = concat(var.functions, [{
      name         = "extra", entry = "functions/x/extra.ts", trigger = "topic", topic = "extras"
      dead_letters = { topic = "extras", max_delivery_attempts = 40, minimum_backoff_seconds = 10, maximum_backoff_seconds = 180 }
    }])
  }
  expect_failures = [var.functions]
}

run "more_deliveries_than_pubsub_makes" {
  command = plan
  variables {
    functions = concat(var.functions, [{
      name         = "extra", entry = "functions/x/extra.ts", trigger = "topic", topic = "extras"
      dead_letters = { topic = "extras-dead-letter", max_delivery_attempts = 101, minimum_backoff_seconds = 10, maximum_backoff_seconds = 180 }
    }])
  }
  expect_failures = [var.functions]
}

run "a_wait_that_is_longer_than_pubsub_waits" {
  command = plan
  variables {
    functions = concat(var.functions, [{
      name         = "extra", entry = "functions/x/extra.ts", trigger = "topic", topic = "extras"
      dead_letters = { topic = "extras-dead-letter", max_delivery_attempts = 40, minimum_backoff_seconds = 10, maximum_backoff_seconds = 601 }
    }])
  }
  expect_failures = [var.functions]
}
