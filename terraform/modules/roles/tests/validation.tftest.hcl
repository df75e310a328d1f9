# Each validation refuses what it is meant to refuse.
variables {
  functions = ["maps-list", "aggregation-run"]
}

run "a_function_without_a_row_in_the_table" {
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
