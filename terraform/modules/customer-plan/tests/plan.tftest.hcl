# What a customer gets, scenario by scenario. No provider: these run anywhere.
variables {
  countries              = ["EST", "LAT", "NOR"]
  data_project           = "populus-dev"
  delivery_project       = "populus-dev-delivery"
  environment            = "dev"
  login_service_account  = "fn-auth-login@populus-dev.iam.gserviceaccount.com"
  region                 = "europe-north1"
  signer_service_account = "fn-aggregation-urls@populus-dev.iam.gserviceaccount.com"
  views                  = jsondecode(file("../../../infra/generated/customer-views.json"))
  customers = {
    filesonly = { name = "Files Only", environment = "dev", countries = ["EST"], scopes = [], scenarios = [] }
    hubsubscriber = {
      name = "Hub & Søn", environment = "dev", countries = ["NOR"], scopes = ["realtime", "warehouse"], scenarios = ["A"]
    }
    personal1 = {
      name = "Personal", environment = "dev", countries = ["EST", "LAT"], scopes = ["realtime", "warehouse"], scenarios = ["B"]
    }
    production = {
      name = "Somebody Else", environment = "prod", countries = ["EST"], scopes = ["realtime", "warehouse"], scenarios = ["A", "B"]
    }
    transferred = { name = "Own Platform", environment = "dev", countries = ["EST"], scopes = ["realtime"], scenarios = ["C"] }
    unscoped1   = { name = "Dataset First", environment = "dev", countries = ["EST"], scopes = ["warehouse"], scenarios = ["A", "B"] }
  }
}

run "every_customer_has_an_account_for_each_profile_and_a_folder" {
  command = plan

  assert {
    condition = toset(keys(output.accounts)) == toset(flatten([
      for uid in ["filesonly", "hubsubscriber", "personal1", "transferred", "unscoped1"] : ["storage-${uid}", "warehouse-${uid}"]
    ]))
    error_message = "Expected storage-{uid} and warehouse-{uid} of each customer of dev: ${join(", ", keys(output.accounts))}"
  }
  assert {
    condition     = output.accounts["storage-personal1"].member == "serviceAccount:storage-personal1@populus-dev-delivery.iam.gserviceaccount.com"
    error_message = "Accounts are of the delivery project."
  }
  assert {
    condition     = alltrue([for uid, folder in output.folders : folder.name == "results/${uid}/" && folder.account == "storage-${uid}"])
    error_message = "A folder is results/{uid}/, and its own storage account is all that reads it."
  }
  assert {
    condition     = output.token_minter == "serviceAccount:fn-auth-login@populus-dev.iam.gserviceaccount.com"
    error_message = "Only the login function mints."
  }
}

run "the_token_minter_makes_access_tokens_and_nothing_else" {
  command = plan

  assert {
    condition     = toset(output.custom_roles.token_minter.permissions) == toset(["iam.serviceAccounts.getAccessToken"])
    error_message = "The login function signs, delegates or makes OIDC tokens as a customer: ${join(", ", output.custom_roles.token_minter.permissions)}"
  }
  assert {
    condition     = alltrue([for permission in output.custom_roles.warehouse_user.permissions : startswith(permission, "bigquery.readsessions.") || permission == "bigquery.jobs.create"])
    error_message = "A customer's account does more than running queries: ${join(", ", output.custom_roles.warehouse_user.permissions)}"
  }
}

run "the_url_signer_signs_as_storage_accounts_and_nothing_else" {
  command = plan

  assert {
    condition     = output.url_signer == "serviceAccount:fn-aggregation-urls@populus-dev.iam.gserviceaccount.com" && output.url_signer != output.token_minter
    error_message = "Only the function that signs URLs signs: ${output.url_signer}"
  }
  assert {
    condition     = output.signing_accounts == toset([for uid in keys(output.folders) : "storage-${uid}"])
    error_message = "URLs are signed as accounts that read a folder, never as those of the warehouse: ${join(", ", output.signing_accounts)}"
  }
  assert {
    condition     = toset(output.custom_roles.url_signer.permissions) == toset(["iam.serviceAccounts.signBlob"])
    error_message = "The function that signs URLs does more as a customer: ${join(", ", output.custom_roles.url_signer.permissions)}"
  }
}

run "customers_of_another_environment_leave_no_trace" {
  command = plan

  assert {
    condition = !strcontains(jsonencode([
      output.accounts, output.folders, output.datasets, output.views, output.authorised_views, output.dataset_readers, output.listings, output.subscribers,
    ]), "production")
    error_message = "A customer of prod is planned in dev."
  }
}

run "the_same_file_in_prod_plans_only_the_customer_of_prod" {
  command = plan
  variables {
    data_project           = "populus-prod"
    delivery_project       = "populus-prod-delivery"
    environment            = "prod"
    login_service_account  = "fn-auth-login@populus-prod.iam.gserviceaccount.com"
    signer_service_account = "fn-aggregation-urls@populus-prod.iam.gserviceaccount.com"
  }

  assert {
    condition     = keys(output.folders) == ["production"] && keys(output.accounts) == ["storage-production", "warehouse-production"]
    error_message = "Development customers never land in prod: ${join(", ", keys(output.folders))}"
  }
}

run "scenario_b_is_a_personal_dataset_that_the_customers_account_alone_reads" {
  command = plan

  assert {
    condition     = output.datasets["customer_personal1"] == { description = "Personal dataset", location = "europe-north1", project = "populus-dev-delivery", scenario = "B", uid = "personal1" }
    error_message = "Expected customer_{uid} where realtime lies."
  }
  assert {
    condition     = output.dataset_readers == { customer_personal1 = "warehouse-personal1" } && output.warehouse_users == toset(["warehouse-personal1"])
    error_message = "Expected one reader, who may run queries: ${jsonencode(output.dataset_readers)}"
  }
  assert {
    condition     = output.authorised_views["customer_personal1.realtime_data"] == "realtime_customers"
    error_message = "The view must be authorised on realtime_customers."
  }
  assert {
    condition     = strcontains(output.views["customer_personal1.realtime_data"].query, "FROM `populus-dev.realtime_customers.headcounts_personal1`\nWHERE uid = 'personal1'")
    error_message = "The view reads its customer's own table in the project of the data."
  }
}

run "scenario_a_is_a_listing_of_a_dataset_in_the_eu" {
  command = plan
  variables {
    subscribers = { hubsubscriber = ["group:analysts@example.com"] }
  }

  assert {
    condition     = keys(output.listings) == ["customer_hubsubscriber_eu", "customer_unscoped1_eu"] && output.datasets["customer_hubsubscriber_eu"].location == "EU"
    error_message = "Expected a listing of customer_{uid}_eu for each customer with scenario A."
  }
  assert {
    condition     = output.authorised_views["customer_hubsubscriber_eu.target_country_summary_view_customer"] == "realtime_eu"
    error_message = "The view must be authorised on realtime_eu."
  }
  assert {
    condition = toset(values(output.subscribers)[*].member) == toset([
      "group:analysts@example.com", "serviceAccount:warehouse-hubsubscriber@populus-dev-delivery.iam.gserviceaccount.com",
    ])
    error_message = "Its account and its people may subscribe, nobody else: ${jsonencode(output.subscribers)}"
  }
  assert {
    condition     = !contains(output.warehouse_users, "warehouse-hubsubscriber")
    error_message = "Its queries run in its own project."
  }
}

run "each_view_reads_a_table_of_its_customers_own" {
  command = plan

  assert {
    condition = keys(output.tables) == [
      "realtime_customers.headcounts_personal1", "realtime_customers.headcounts_unscoped1", "realtime_eu.headcounts_hubsubscriber", "realtime_eu.headcounts_unscoped1",
    ]
    error_message = "Expected a table for each scenario A and B of each customer, and no other: ${join(", ", keys(output.tables))}"
  }
  assert {
    condition = alltrue([
      for view in values(output.views) : output.tables[view.table].uid == view.uid && strcontains(view.query, "`populus-dev.${view.table}`")
    ]) && length(distinct(values(output.views)[*].table)) == length(output.views)
    error_message = "A view reads a table of another customer, or shares one."
  }
  assert {
    condition     = alltrue([for table in values(output.tables) : table.field == "timestamp" && table.type == "DAY" && table.expiration_ms == 400 * 86400000])
    error_message = "A table has daily partitions, which are kept for 400 days."
  }
  assert {
    condition     = toset(values(output.authorised_views)) == toset(["realtime_customers", "realtime_eu"])
    error_message = "A view is authorised on more than the customers' tables: ${join(", ", values(output.authorised_views))}"
  }
}

run "scenario_c_and_no_scenario_are_the_folder_and_nothing_else" {
  command = plan

  assert {
    condition     = !strcontains(jsonencode([output.datasets, output.tables, output.views, output.listings]), "transferred")
    error_message = "Scenario C has no warehouse."
  }
  assert {
    condition     = !strcontains(jsonencode([output.datasets, output.tables, output.views, output.listings]), "filesonly")
    error_message = "No scenario, no warehouse."
  }
}

run "without_both_scopes_on_a_key_a_dataset_is_there_but_not_read" {
  command = plan

  assert {
    condition     = contains(keys(output.datasets), "customer_unscoped1") && !strcontains(jsonencode([output.dataset_readers, output.subscribers]), "unscoped1")
    error_message = "A customer none of whose keys has the realtime scope reads realtime data."
  }
}

run "no_customers_are_no_resources" {
  command = plan
  variables {
    customers = {}
  }

  assert {
    condition     = sum(values(output.totals)) == 0 && length(output.accounts) == 0
    error_message = "Expected nothing: ${jsonencode(output.totals)}"
  }
}

run "a_customer_is_in_the_project_that_it_was_placed_in" {
  command = plan
  variables {
    more_delivery_projects = ["populus-dev-more"]
    customers = {
      atfirst00 = { name = "At First", environment = "dev", countries = ["EST"], scopes = ["realtime", "warehouse"], scenarios = ["A", "B"] }
      placed000 = { name = "Placed", environment = "dev", countries = ["EST"], scopes = ["realtime", "warehouse"], scenarios = ["A", "B"], accounts_project = "populus-dev-more" }
    }
  }

  assert {
    condition     = { for id, account in output.accounts : id => [account.project, split("@", account.email)[1]] } == { for id in ["storage-atfirst00", "storage-placed000", "warehouse-atfirst00", "warehouse-placed000"] : id => endswith(id, "placed000") ? ["populus-dev-more", "populus-dev-more.iam.gserviceaccount.com"] : ["populus-dev-delivery", "populus-dev-delivery.iam.gserviceaccount.com"] }
    error_message = "Accounts are elsewhere: ${jsonencode(output.accounts)}"
  }
  assert {
    condition     = alltrue([for one in concat(values(output.datasets), values(output.listings)) : one.project == (one.uid == "placed000" ? "populus-dev-more" : "populus-dev-delivery") if can(one.uid)]) && output.listings["customer_placed000_eu"].project == "populus-dev-more"
    error_message = "Datasets and listings are beside the accounts."
  }
  assert {
    condition     = alltrue([for key, subscriber in output.subscribers : endswith(subscriber.member, "@${output.listings[subscriber.listing].project}.iam.gserviceaccount.com")])
    error_message = "A listing's subscriber is its own customer's account: ${jsonencode(output.subscribers)}"
  }
  assert {
    condition     = output.totals.service_accounts == 2 && output.totals.policy_members == 1 && output.totals.listings == 1 && output.totals.datasets == 4
    error_message = "Each project has limits of its own: ${jsonencode(output.totals)}"
  }
}
