# The grants of the deployed functions.
variables {
  permissions = jsondecode(file("../../../infra/generated/permissions.json"))
  functions   = [for one in jsondecode(file("../../../infra/generated/functions.json")) : one.name]
}

run "the_documents_may_do_nothing" {
  command = plan

  assert {
    condition     = length([for grant in values(output.grants) : grant if startswith(grant.function, "docs-")]) == 0
    error_message = "A function that needs nothing has no grant."
  }
}

run "only_login_mints_tokens" {
  command = plan

  assert {
    condition     = [for grant in values(output.grants) : grant.function if grant.on == "customer_accounts"] == ["auth-login"]
    error_message = "Customers' accounts are login's alone."
  }
  assert {
    condition     = toset([for grant in values(output.grants) : grant.on if grant.function == "auth-login"]) == toset(["customer_accounts", "database"])
    error_message = "Login reaches the store and customers' accounts, and nothing else."
  }
}

run "only_one_function_signs_and_it_does_nothing_else" {
  command = plan

  assert {
    condition     = [for grant in values(output.grants) : grant.function if grant.on == "customer_storage_accounts"] == ["aggregation-urls"]
    error_message = "Signatures as customers' storage accounts are for URLs alone."
  }
  assert {
    condition     = toset([for grant in values(output.grants) : grant.on if grant.function == "aggregation-urls"]) == toset(["customer_storage_accounts", "database"])
    error_message = "The function that signs URLs reaches the store and customers' storage accounts, and nothing else."
  }
}

run "who_makes_tasks_may_name_the_queues_account" {
  command = plan

  assert {
    condition     = toset([for grant in values(output.grants) : grant.function if grant.on == "queue"]) == toset([for grant in values(output.grants) : grant.function if grant.on == "queue_account"])
    error_message = "Making a task takes both the queue and its account."
  }
}

run "who_mints_or_signs_does_not_write_keys" {
  command = plan

  assert {
    condition = length([
      for grant in values(output.grants) : grant if contains(["auth-login", "aggregation-urls"], grant.function) && grant.role == "roles/datastore.user" && grant.name != "usage"
    ]) == 0
    error_message = "Login and the function of URLs write the main database."
  }
}

run "no_endpoint_writes_facts_or_headcounts" {
  command = plan

  assert {
    condition = length(setsubtract(
      [for grant in values(output.grants) : grant.function if grant.role == "roles/bigquery.dataEditor" && !contains(["realtime.monitored_maps", "realtime.map_cells"], coalesce(grant.name, "-"))],
      ["customers-sweep", "loading-import", "realtime-measure", "realtime-refresh"],
    )) == 0
    error_message = "Only ticks and measurements of single maps write headcounts, only the sweeper of gone customers removes them, and only the import writes facts."
  }
  assert {
    condition     = length([for grant in values(output.grants) : grant if grant.function != "loading-import" && grant.on == "dataset" && grant.name == "mobility" && grant.role != "roles/bigquery.dataViewer"]) == 0
    error_message = "Facts are read only."
  }
}

run "only_the_import_reaches_raw_counts" {
  command = plan

  assert {
    condition = length([
      for key, grant in output.grants : key if grant.function != "loading-import" && key != "loading-arrivals/read_arrivals" && can(regex("^(intake|staging)(\\.|$)", coalesce(grant.name, "-")))
    ]) == 0
    error_message = "A function has a grant on raw counts: only loads read them. The ledger of loads has none."
  }
  assert {
    condition = length(flatten([
      for name, needs in var.permissions : [for table in setunion(needs.tables, needs.writes) : table if table != "intake.batches" && can(regex("^(intake|staging)\\.", table))] if name != "loading-import"
    ])) == 0
    error_message = "A function's statement names a table of raw counts."
  }
}

# Code that names raw counts cannot be deployed, whatever the function's other grants are.
run "a_function_whose_statement_names_raw_counts" {
  command = plan
  variables {
    functions   = ["maps-list"]
    permissions = { maps-list = { grants = ["read_facts", "store"], tables = ["intake.activities_hourly"], writes = [] } }
  }
  expect_failures = [output.grants]
}

run "no_role_is_a_basic_or_an_administrators_one" {
  command = plan

  assert {
    condition     = alltrue([for grant in values(output.grants) : !can(regex("(?i)admin|^roles/(owner|editor|viewer)$", grant.role))])
    error_message = "A function has no basic and no administrator's role."
  }
}

run "what_is_not_deployed_has_no_grant" {
  command = plan
  variables {
    functions = ["maps-list", "docs-openapi-users"]
  }

  assert {
    condition     = keys(output.grants) == ["maps-list/read_store", "maps-list/usage"]
    error_message = "Grants are those of the functions that are deployed."
  }
}

run "every_grant_belongs_to_a_function" {
  command = plan

  assert {
    condition     = toset([for key in keys(output.grants) : split("/", key)[1]]) == toset(keys(local.grants))
    error_message = "No function has these grants: ${join(", ", setsubtract(keys(local.grants), [for key in keys(output.grants) : split("/", key)[1]]))}."
  }
}

run "a_custom_role_stops_jobs_or_uses_a_reservation_and_nothing_else" {
  command = plan

  assert {
    condition     = { for name, role in output.custom_roles : name => role.permissions } == { stop_warehouse_jobs = ["bigquery.jobs.get", "bigquery.jobs.update"], use_reservation = ["bigquery.reservations.use"] }
    error_message = "Stopping a job takes two permissions, using a reservation one: ${jsonencode(output.custom_roles)}"
  }
}
