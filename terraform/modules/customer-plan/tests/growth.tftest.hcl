# How much of Google's quotas 10, 100 and 1,000 customers with scenarios A and B use, and that a plan warns if one is exceeded.
variables {
  countries              = ["EST"]
  data_project           = "populus-prod"
  delivery_project       = "populus-delivery"
  environment            = "prod"
  login_service_account  = "fn-auth-login@populus-prod.iam.gserviceaccount.com"
  region                 = "europe-north1"
  signer_service_account = "fn-aggregation-urls@populus-prod.iam.gserviceaccount.com"
  views                  = jsondecode(file("../../../infra/generated/customer-views.json"))
  customers = {
    for number in range(10) : format("customer%04d", number) => {
      name = "Customer ${number}", environment = "prod", countries = ["EST"], scopes = ["realtime", "warehouse"], scenarios = ["A", "B", "C"]
    }
  }
}

run "ten_fit_the_quotas_of_a_new_project" {
  command = plan

  assert {
    condition = output.totals == {
      service_accounts = 20, policy_members = 10, managed_folders = 10, datasets = 20, tables = 20, listings = 10, authorised_views = 10
    }
    error_message = "Counted otherwise: ${jsonencode(output.totals)}"
  }
  assert {
    condition     = output.load_minutes == 5 && output.load_jobs == 20 * 288
    error_message = "A few tables are loaded at each tick: ${output.load_minutes} minutes."
  }
}

run "a_hundred_need_service_accounts_raised" {
  command = plan
  variables {
    customers = {
      for number in range(100) : format("customer%04d", number) => {
        name = "Customer ${number}", environment = "prod", countries = ["EST"], scopes = ["realtime", "warehouse"], scenarios = ["A", "B"]
      }
    }
  }
  expect_failures = [check.service_accounts]
}

# Two tables each: more than a project can load at each tick.
run "a_thousand_fit_once_service_accounts_are_raised_and_their_tables_are_loaded_less_often" {
  command = plan
  variables {
    service_accounts_max = 2000
    customers = {
      for number in range(1000) : format("customer%04d", number) => {
        name = "Customer ${number}", environment = "prod", countries = ["EST"], scopes = ["realtime", "warehouse"], scenarios = ["A", "B"]
      }
    }
  }

  assert {
    condition = output.totals == {
      service_accounts = 2000, policy_members = 1000, managed_folders = 1000, datasets = 2000, tables = 2000, listings = 1000, authorised_views = 1000
    }
    error_message = "Counted otherwise: ${jsonencode(output.totals)}"
  }
  assert {
    condition     = output.load_minutes == 40 && output.load_jobs == 2000 * 36
    error_message = "Loaded every ${output.load_minutes} minutes, in ${output.load_jobs} jobs a day."
  }
}

run "more_are_warned_of_before_an_apply_fails_half_way" {
  command = plan
  variables {
    service_accounts_max = 6000
    customers = {
      for pair in setproduct(range(61), range(41)) : format("customer%02d%02d", pair...) => {
        name = "Customer ${join(" ", pair)}", environment = "prod", countries = ["EST"], scopes = ["realtime", "warehouse"], scenarios = ["A", "B"]
      }
    }
  }
  expect_failures = [check.authorised_views, check.listings, check.policy_members]
}

# The same as in shared/realtime/load-customer-tables.test.ts.
run "as_many_tables_as_can_be_loaded_at_each_tick" {
  command = plan
  variables {
    service_accounts_max = 1000
    customers = {
      for number in range(312) : format("customer%04d", number) => {
        name = "Customer ${number}", environment = "prod", countries = ["EST"], scopes = ["realtime", "warehouse"], scenarios = ["B"]
      }
    }
  }

  assert {
    condition     = output.totals.tables == 312 && output.load_minutes == 5 && output.load_jobs == 312 * 288
    error_message = "Loaded every ${output.load_minutes} minutes, in ${output.load_jobs} jobs a day."
  }
}

run "one_more_and_each_is_loaded_at_every_second" {
  command = plan
  variables {
    service_accounts_max = 1000
    customers = {
      for number in range(313) : format("customer%04d", number) => {
        name = "Customer ${number}", environment = "prod", countries = ["EST"], scopes = ["realtime", "warehouse"], scenarios = ["B"]
      }
    }
  }

  assert {
    condition     = output.totals.tables == 313 && output.load_minutes == 10 && output.load_jobs == 313 * 144
    error_message = "Loaded every ${output.load_minutes} minutes, in ${output.load_jobs} jobs a day."
  }
}

run "more_tables_than_even_the_longest_interval_allows" {
  command = plan
  variables {
    load_jobs_max = 47
  }

  assert {
    condition     = output.load_minutes == 600 && output.load_jobs == 48
    error_message = "Loaded every ${output.load_minutes} minutes, in ${output.load_jobs} jobs a day."
  }
  expect_failures = [check.load_jobs]
}
