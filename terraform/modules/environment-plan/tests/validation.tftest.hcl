# Each validation refuses what it is meant to refuse.
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

run "a_key_in_another_location" {
  command = plan
  variables {
    kms_keys = {
      europe = "projects/keys/locations/europe-west1/keyRings/populus/cryptoKeys/stores"
      region = "projects/keys/locations/europe-north1/keyRings/populus/cryptoKeys/stores"
    }
  }
  expect_failures = [var.kms_keys]
}

run "a_database_for_two_purposes" {
  command = plan
  variables {
    databases = { main = "usage" }
  }
  expect_failures = [var.databases]
}

run "a_database_that_is_used_and_former" {
  command = plan
  variables {
    databases = { kept = ["(default)"] }
  }
  expect_failures = [var.databases]
}

run "a_database_that_is_no_id" {
  command = plan
  variables {
    databases = { main = "Restored" }
  }
  expect_failures = [var.databases]
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
    ingress = "INGRESS_TRAFFIC_INTERNAL_ONLY"
  }
  expect_failures = [var.ingress]
}

run "production_beside_the_load_balancer" {
  command = plan
  variables {
    ingress = "INGRESS_TRAFFIC_ALL"
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

run "production_without_hosts_for_the_next_release" {
  command = plan
  variables {
    candidate_hosts = null
  }
  expect_failures = [var.candidate_hosts]
}

run "an_access_that_is_unknown" {
  command = plan
  variables {
    endpoint_access = "EVERYBODY"
  }
  expect_failures = [var.endpoint_access]
}

run "a_queue_without_a_name" {
  command = plan
  variables {
    queue_name = "-"
  }
  expect_failures = [var.queue_name]
}

run "an_export_in_the_region_of_the_database" {
  command = plan
  variables {
    firestore_export = { location = "EUROPE-NORTH1" }
  }
  expect_failures = [var.firestore_export]
}

run "an_export_that_is_gone_before_the_next" {
  command = plan
  variables {
    firestore_export = { location = "europe-west4", retention_days = 1 }
  }
  expect_failures = [var.firestore_export]
}

run "a_reservation_by_its_short_name" {
  command = plan
  variables {
    interactive_reservation = "interactive"
  }
  expect_failures = [var.interactive_reservation]
}

run "a_reservation_in_another_location" {
  command = plan
  variables {
    interactive_reservation = "projects/populus-slots/locations/EU/reservations/interactive"
  }
  expect_failures = [var.interactive_reservation]
}

run "a_delivery_project_twice" {
  command = plan
  variables {
    more_delivery_projects = ["populus-prod-more", "populus-prod-delivery"]
  }
  expect_failures = [var.more_delivery_projects]
}

run "a_delivery_project_by_its_number" {
  command = plan
  variables {
    more_delivery_projects = ["123456789"]
  }
  expect_failures = [var.more_delivery_projects]
}
