variables {
  called    = [for one in jsondecode(file("../../../infra/generated/functions.json")) : one.name if one.trigger != "http"]
  functions = [for one in jsondecode(file("../../../infra/generated/functions.json")) : one.name]
}

run "every_function_has_an_account_of_its_own_and_every_caller_too" {
  command = plan

  assert {
    condition     = toset(keys(output.functions)) == var.functions && toset(keys(output.callers)) == var.called
    error_message = "One account a function, and one a caller."
  }
  assert {
    condition     = alltrue([for id in concat(values(output.functions), values(output.callers), values(output.platform)) : can(regex("^[a-z][a-z0-9-]{4,28}[a-z0-9]$", id))])
    error_message = "Google refuses an account's id: ${jsonencode(output.platform)}"
  }
  assert {
    condition     = output.functions["auth-login"] == "fn-auth-login" && output.callers["aggregation-run"] == "call-aggregation-run"
    error_message = "An account is named after its function."
  }
}

run "a_long_name_is_cut_the_same_way_whoever_else_is_there" {
  command = plan
  variables {
    called    = ["an-aggregation-with-a-very-long-name"]
    functions = ["an-aggregation-with-a-very-long-name"]
  }

  assert {
    condition     = output.functions == { an-aggregation-with-a-very-long-name = "fn-an-aggregation-with-${substr(sha256("fn-an-aggregation-with-a-very-long-name"), 0, 6)}" }
    error_message = "The id is the beginning of the name and a part of its hash."
  }
  assert {
    condition     = alltrue([for id in concat(values(output.functions), values(output.callers)) : can(regex("^[a-z][a-z0-9-]{4,28}[a-z0-9]$", id))])
    error_message = "The id of a service account is 6 to 30 lower-case letters, digits and dashes."
  }
}

# Found by search: both names have the same beginning, and so have their hashes.
run "two_names_that_would_share_an_account" {
  command = plan
  variables {
    called    = []
    functions = ["functions-of-a-long-name-1308", "functions-of-a-long-name-5662"]
  }
  expect_failures = [output.functions]
}

run "a_caller_of_nobody" {
  command = plan
  variables {
    called = ["aggregation-fly"]
  }
  expect_failures = [var.called]
}

run "a_name_that_is_no_name_of_a_service" {
  command = plan
  variables {
    called    = []
    functions = ["maps_list"]
  }
  expect_failures = [var.functions]
}
