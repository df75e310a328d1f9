# Each validation refuses what it is meant to refuse. "good" is the unchanged input and must pass.
variables {
  countries              = ["EST", "NOR"]
  data_project           = "populus-dev"
  delivery_project       = "populus-dev-delivery"
  environment            = "dev"
  login_service_account  = "fn-auth-login@populus-dev.iam.gserviceaccount.com"
  region                 = "europe-north1"
  signer_service_account = "fn-aggregation-urls@populus-dev.iam.gserviceaccount.com"
  subscribers            = { gooduid1 = ["user:ada@example.com"] }
  views                  = jsondecode(file("../../../infra/generated/customer-views.json"))
  customers = {
    gooduid1 = { name = "Good", environment = "dev", countries = ["EST"], scopes = ["realtime", "warehouse"], scenarios = ["A", "B", "C"] }
  }
}

run "good" {
  command = plan

  assert {
    condition     = length(output.accounts) == 2
    error_message = "The good variables are not accepted."
  }
}

run "uid_with_capitals" {
  command = plan
  variables {
    subscribers = {}
    customers = {
      GoodUid1 = { name = "Good", environment = "dev", countries = ["EST"], scopes = [], scenarios = ["A"] }
    }
  }
  expect_failures = [var.customers]
}

run "uid_too_short" {
  command = plan
  variables {
    subscribers = {}
    customers = {
      short12 = { name = "Good", environment = "dev", countries = ["EST"], scopes = [], scenarios = ["A"] }
    }
  }
  expect_failures = [var.customers]
}

run "uid_too_long_for_a_service_account" {
  command = plan
  variables {
    subscribers = {}
    customers = {
      a23456789012345678901 = { name = "Good", environment = "dev", countries = ["EST"], scopes = [], scenarios = ["A"] }
    }
  }
  expect_failures = [var.customers]
}

run "uid_that_begins_with_a_digit" {
  command = plan
  variables {
    subscribers = {}
    customers = {
      "1gooduid" = { name = "Good", environment = "dev", countries = ["EST"], scopes = [], scenarios = ["A"] }
    }
  }
  expect_failures = [var.customers]
}

run "uid_with_a_slash" {
  command = plan
  variables {
    subscribers = {}
    customers = {
      "gooduid1/x" = { name = "Good", environment = "dev", countries = ["EST"], scopes = [], scenarios = ["A"] }
    }
  }
  expect_failures = [var.customers]
}

run "environment_unknown_of_a_customer" {
  command = plan
  variables {
    customers = {
      gooduid1 = { name = "Good", environment = "staging", countries = ["EST"], scopes = [], scenarios = ["A"] }
    }
  }
  expect_failures = [var.customers]
}

run "name_empty" {
  command = plan
  variables {
    customers = {
      gooduid1 = { name = "", environment = "dev", countries = ["EST"], scopes = [], scenarios = ["A"] }
    }
  }
  expect_failures = [var.customers]
}

run "name_with_a_line_break" {
  command = plan
  variables {
    customers = {
      gooduid1 = { name = "Good\nBad", environment = "dev", countries = ["EST"], scopes = [], scenarios = ["A"] }
    }
  }
  expect_failures = [var.customers]
}

run "name_too_long" {
  command = plan
  variables {
    customers = {
      gooduid1 = { name = join("", [for _ in range(201) : "x"]), environment = "dev", countries = ["EST"], scopes = [], scenarios = ["A"] }
    }
  }
  expect_failures = [var.customers]
}

run "country_unknown" {
  command = plan
  variables {
    customers = {
      gooduid1 = { name = "Good", environment = "dev", countries = ["EST", "SWE"], scopes = [], scenarios = ["A"] }
    }
  }
  expect_failures = [var.customers]
}

run "countries_none" {
  command = plan
  variables {
    customers = {
      gooduid1 = { name = "Good", environment = "dev", countries = [], scopes = [], scenarios = ["A"] }
    }
  }
  expect_failures = [var.customers]
}

run "scope_unknown" {
  command = plan
  variables {
    customers = {
      gooduid1 = { name = "Good", environment = "dev", countries = ["EST"], scopes = ["realtime", "everything"], scenarios = ["A"] }
    }
  }
  expect_failures = [var.customers]
}

run "scenario_unknown" {
  command = plan
  variables {
    customers = {
      gooduid1 = { name = "Good", environment = "dev", countries = ["EST"], scopes = [], scenarios = ["A", "D"] }
    }
  }
  expect_failures = [var.customers]
}

run "country_of_the_service_with_two_letters" {
  command = plan
  variables {
    countries = ["EST", "NO"]
  }
  expect_failures = [var.countries]
}

run "countries_of_the_service_none" {
  command = plan
  variables {
    countries   = []
    customers   = {}
    subscribers = {}
  }
  expect_failures = [var.countries]
}

run "data_project_with_capitals" {
  command = plan
  variables {
    data_project           = "Populus-Dev"
    login_service_account  = "fn-auth-login@Populus-Dev.iam.gserviceaccount.com"
    signer_service_account = "fn-aggregation-urls@Populus-Dev.iam.gserviceaccount.com"
  }
  expect_failures = [var.data_project]
}

run "delivery_project_too_short" {
  command = plan
  variables {
    delivery_project = "short"
  }
  expect_failures = [var.delivery_project]
}

run "environment_of_the_default_workspace" {
  command = plan
  variables {
    environment = "default"
  }
  expect_failures = [var.environment]
}

run "login_of_another_environment" {
  command = plan
  variables {
    login_service_account = "fn-auth-login@populus-prod.iam.gserviceaccount.com"
  }
  expect_failures = [var.login_service_account]
}

run "login_that_is_no_service_account" {
  command = plan
  variables {
    login_service_account = "@populus-dev.iam.gserviceaccount.com"
  }
  expect_failures = [var.login_service_account]
}

run "signer_of_another_environment" {
  command = plan
  variables {
    signer_service_account = "fn-aggregation-urls@populus-prod.iam.gserviceaccount.com"
  }
  expect_failures = [var.signer_service_account]
}

run "region_that_is_a_multi_region" {
  command = plan
  variables {
    region = "eu"
  }
  expect_failures = [var.region]
}

run "quota_negative" {
  command = plan
  variables {
    service_accounts_max = -1
  }
  expect_failures = [var.service_accounts_max]
}

run "subscribers_of_nobody" {
  command = plan
  variables {
    subscribers = { otheruid1 = ["user:ada@example.com"] }
  }
  expect_failures = [var.subscribers]
}

run "subscribers_without_scenario_a" {
  command = plan
  variables {
    customers = {
      gooduid1 = { name = "Good", environment = "dev", countries = ["EST"], scopes = [], scenarios = ["B"] }
    }
  }
  expect_failures = [var.subscribers]
}

run "subscriber_everybody" {
  command = plan
  variables {
    subscribers = { gooduid1 = ["allAuthenticatedUsers"] }
  }
  expect_failures = [var.subscribers]
}

run "subscriber_a_domain" {
  command = plan
  variables {
    subscribers = { gooduid1 = ["domain:example.com"] }
  }
  expect_failures = [var.subscribers]
}

run "view_of_every_customers_rows" {
  command = plan
  variables {
    views = {
      realtime_data = {
        dataset = "customer_{uid}", dataset_description = "", description = "", location = "europe-north1", reads = "realtime_customers", scenario = "B"
        query   = "SELECT 1 FROM `{project}.realtime_customers.headcounts_{uid}`"
        table = {
          clustering = ["target_id"], dataset = "realtime_customers", description = "", require_partition_filter = false, schema = [], table = "headcounts_{uid}"
          partition  = { expiration_ms = 1, field = "timestamp", type = "DAY" }
        }
      }
    }
  }
  expect_failures = [var.views]
}

run "view_without_a_project" {
  command = plan
  variables {
    views = {
      realtime_data = {
        dataset = "customer_{uid}", dataset_description = "", description = "", location = "europe-north1", reads = "realtime_customers", scenario = "B"
        query   = "SELECT 1 FROM `realtime_customers.headcounts_{uid}` WHERE uid = '{uid}'"
        table = {
          clustering = ["target_id"], dataset = "realtime_customers", description = "", require_partition_filter = false, schema = [], table = "headcounts_{uid}"
          partition  = { expiration_ms = 1, field = "timestamp", type = "DAY" }
        }
      }
    }
  }
  expect_failures = [var.views]
}

run "view_of_a_shared_table" {
  command = plan
  variables {
    views = {
      realtime_data = {
        dataset = "customer_{uid}", dataset_description = "", description = "", location = "europe-north1", reads = "realtime_customers", scenario = "B"
        query   = "SELECT 1 FROM `{project}.realtime_customers.headcounts` WHERE uid = '{uid}'"
        table = {
          clustering = ["target_id"], dataset = "realtime_customers", description = "", require_partition_filter = false, schema = [], table = "headcounts"
          partition  = { expiration_ms = 1, field = "timestamp", type = "DAY" }
        }
      }
    }
  }
  expect_failures = [var.views]
}

run "view_of_another_table_besides" {
  command = plan
  variables {
    views = {
      realtime_data = {
        dataset = "customer_{uid}", dataset_description = "", description = "", location = "europe-north1", reads = "realtime_customers", scenario = "B"
        query   = "SELECT 1 FROM `{project}.realtime_customers.headcounts_{uid}` JOIN `{project}.realtime.headcounts` USING (uid) WHERE uid = '{uid}'"
        table = {
          clustering = ["target_id"], dataset = "realtime_customers", description = "", require_partition_filter = false, schema = [], table = "headcounts_{uid}"
          partition  = { expiration_ms = 1, field = "timestamp", type = "DAY" }
        }
      }
    }
  }
  expect_failures = [var.views]
}

run "view_in_a_shared_dataset" {
  command = plan
  variables {
    views = {
      realtime_data = {
        dataset = "customers", dataset_description = "", description = "", location = "europe-north1", reads = "realtime_customers", scenario = "B"
        query   = "SELECT 1 FROM `{project}.realtime_customers.headcounts_{uid}` WHERE uid = '{uid}'"
        table = {
          clustering = ["target_id"], dataset = "realtime_customers", description = "", require_partition_filter = false, schema = [], table = "headcounts_{uid}"
          partition  = { expiration_ms = 1, field = "timestamp", type = "DAY" }
        }
      }
    }
  }
  expect_failures = [var.views]
}

run "own_queries_in_the_data_project_of_production" {
  command = plan
  variables {
    environment      = "prod"
    delivery_project = "populus-dev"
    subscribers      = {}
    customers = {
      gooduid1 = { name = "Good", environment = "prod", countries = ["EST"], scopes = ["realtime", "warehouse"], scenarios = ["B"] }
    }
  }
  expect_failures = [var.environment]
}

run "listings_and_files_in_the_data_project_of_production" {
  command = plan
  variables {
    environment      = "prod"
    delivery_project = "populus-dev"
    subscribers      = {}
    customers = {
      gooduid1 = { name = "Good", environment = "prod", countries = ["EST"], scopes = ["realtime", "warehouse"], scenarios = ["A", "C"] }
      gooduid2 = { name = "Of dev", environment = "dev", countries = ["EST"], scopes = ["realtime", "warehouse"], scenarios = ["B"] }
    }
  }

  assert {
    condition     = length(output.warehouse_users) == 0
    error_message = "Nobody runs queries of their own here."
  }
}

run "own_queries_in_the_data_project_of_development_are_warned_of" {
  command = plan
  variables {
    delivery_project = "populus-dev"
  }
  expect_failures = [check.query_bytes]
}

run "a_customer_that_was_placed_in_a_project_that_is_not_listed" {
  command = plan
  variables {
    subscribers = {}
    customers = {
      placed000 = { name = "Placed", environment = "dev", countries = ["EST"], scopes = [], scenarios = [], accounts_project = "populus-dev-gone" }
    }
  }
  expect_failures = [var.more_delivery_projects]
}

run "a_delivery_project_twice" {
  command = plan
  variables {
    more_delivery_projects = ["populus-dev-delivery"]
  }
  expect_failures = [var.more_delivery_projects]
}
