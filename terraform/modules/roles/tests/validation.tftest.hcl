# Each validation refuses what it is meant to refuse.
variables {
  functions = ["maps-list", "aggregation-run"]
  permissions = {
    aggregation-run = { grants = ["store"], tables = [], writes = [] }
    maps-list       = { grants = ["store"], tables = [], writes = [] }
  }
}

run "a_function_without_permissions" {
  command = plan
  variables {
    functions = ["maps-list", "maps-fly"]
  }
  expect_failures = [var.functions]
}

run "a_name_that_is_no_name_of_a_service" {
  command = plan
  variables {
    functions = ["maps_list"]
  }
  expect_failures = [var.functions]
}

run "a_grant_that_is_not_defined" {
  command = plan
  variables {
    permissions = {
      aggregation-run = { grants = ["everything"], tables = [], writes = [] }
      maps-list       = { grants = [], tables = [], writes = [] }
    }
  }
  expect_failures = [var.permissions]
}

run "a_statement_that_reads_a_table_without_a_grant" {
  command = plan
  variables {
    permissions = {
      aggregation-run = { grants = ["read_monitored_maps"], tables = ["realtime.presence"], writes = [] }
      maps-list       = { grants = [], tables = [], writes = [] }
    }
  }
  expect_failures = [output.grants]
}

run "a_statement_that_writes_a_table_that_it_may_read" {
  command = plan
  variables {
    permissions = {
      aggregation-run = { grants = ["read_monitored_maps"], tables = [], writes = ["realtime.monitored_maps"] }
      maps-list       = { grants = [], tables = [], writes = [] }
    }
  }
  expect_failures = [output.grants]
}

run "tables_that_a_grant_on_them_or_on_their_dataset_reaches" {
  command = plan
  variables {
    permissions = {
      aggregation-run = { grants = ["read_facts", "write_monitored_maps"], tables = ["mobility.*", "realtime.monitored_maps"], writes = ["realtime.monitored_maps"] }
      maps-list       = { grants = [], tables = [], writes = [] }
    }
  }

  assert {
    condition     = keys(output.grants) == ["aggregation-run/read_facts", "aggregation-run/write_monitored_maps"]
    error_message = "Who may write may also read: ${join(", ", keys(output.grants))}"
  }
}
