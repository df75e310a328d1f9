# Each validation refuses what it is meant to refuse.
variables {
  bytes_billed_max      = 1099511627776
  delivery_project      = "populus-prod-delivery"
  environment           = "prod"
  hosts                 = { data = "data.example.com", users = "users.example.com" }
  ingress               = "ALLOW_INTERNAL_AND_GCLB"
  interactive_bytes_max = 100000000000
  patterns              = jsondecode(file("../../../infra/generated/environment-variables.json"))
  project_id            = "populus-prod"
  project_number        = "123456789"
  query_price           = { currency = "USD", per_tib = 6.25 }
  queue_region          = "europe-west1"
  rate                  = { burst = 500, per_second = 100 }
  region                = "europe-north1"
}

run "a_query_that_may_bill_nothing" {
  command = plan
  variables {
    bytes_billed_max = 1048576
  }
  expect_failures = [var.bytes_billed_max]
}

run "part_of_a_byte" {
  command = plan
  variables {
    bytes_billed_max = 10485760.5
  }
  expect_failures = [var.bytes_billed_max]
}

run "an_origin_with_a_path" {
  command = plan
  variables {
    cors_origins = ["https://maps.example.com/page"]
  }
  expect_failures = [var.cors_origins]
}

run "a_delivery_project_that_is_no_id" {
  command = plan
  variables {
    delivery_project = "Populus"
  }
  expect_failures = [var.delivery_project]
}

run "an_environment_that_is_unknown" {
  command = plan
  variables {
    environment = "test"
  }
  expect_failures = [var.environment]
}

run "an_ingress_that_is_unknown" {
  command = plan
  variables {
    ingress = "ALLOW_INTERNAL_ONLY"
  }
  expect_failures = [var.ingress]
}

run "production_beside_the_load_balancer" {
  command = plan
  variables {
    ingress = "ALLOW_ALL"
  }
  expect_failures = [var.ingress]
}

run "a_project_that_is_no_id" {
  command = plan
  variables {
    project_id = "pop"
  }
  expect_failures = [var.project_id]
}

run "a_project_number_with_letters" {
  command = plan
  variables {
    project_number = "populus"
  }
  expect_failures = [var.project_number]
}

run "a_currency_that_is_no_code" {
  command = plan
  variables {
    query_price = { currency = "euro", per_tib = 6.25 }
  }
  expect_failures = [var.query_price]
}

run "a_price_below_nothing" {
  command = plan
  variables {
    query_price = { currency = "USD", per_tib = -1 }
  }
  expect_failures = [var.query_price]
}

run "a_queue_in_a_multi_region" {
  command = plan
  variables {
    queue_region = "EU"
  }
  expect_failures = [var.queue_region]
}

run "a_burst_of_nothing" {
  command = plan
  variables {
    rate = { burst = 0, per_second = 100 }
  }
  expect_failures = [var.rate]
}

run "a_rate_of_nothing" {
  command = plan
  variables {
    rate = { burst = 500, per_second = 0 }
  }
  expect_failures = [var.rate]
}

run "a_region_that_is_a_multi_region" {
  command = plan
  variables {
    region = "EU"
  }
  expect_failures = [var.region]
}

run "everybody_as_a_loader" {
  command = plan
  variables {
    loaders = ["allUsers"]
  }
  expect_failures = [var.loaders]
}

run "a_whole_domain_as_a_loader" {
  command = plan
  variables {
    loaders = ["domain:example.com"]
  }
  expect_failures = [var.loaders]
}

run "every_identity_of_a_pool_as_a_loader" {
  command = plan
  variables {
    loaders = ["principalSet://iam.googleapis.com/pool/*"]
  }
  expect_failures = [var.loaders]
}

run "requests_that_may_read_less_than_a_gigabyte" {
  command = plan
  variables {
    interactive_bytes_max = 999999999
  }
  expect_failures = [var.interactive_bytes_max]
}
