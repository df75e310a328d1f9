# Datasets and tables, and what an apply must not take from them.
mock_provider "google" {}

variables {
  definitions_file = "../../../infra/generated/tables.json"
  loader_id        = "loader"
  project_id       = "populus-prod"
  region           = "europe-north1"
}

run "planned" {
  command = plan
  variables {
    people = ["group:loaders@example.com"]
  }
  module {
    source = "../environment-plan/tests/production"
  }
}

run "data_is_protected_and_raw_counts_are_kept_from_the_projects_people" {
  command = plan
  variables {
    is_protected = true
    members      = { for kind in ["dataset", "loader_account"] : kind => run.planned.plan.members[kind] }
  }

  assert {
    condition     = alltrue([for one in google_bigquery_table.this : one.deletion_protection]) && alltrue([for one in google_bigquery_dataset.this : !one.delete_contents_on_destroy])
    error_message = "A plan could delete data."
  }
  assert {
    condition     = toset([for id, one in google_bigquery_dataset.this : id if length(one.access) > 0]) == toset(["intake", "staging"]) && google_bigquery_dataset.this["intake"].max_time_travel_hours == "48"
    error_message = "Editors and viewers of the project would read raw counts."
  }
  assert {
    condition     = one(google_bigquery_dataset.this["intake"].access).special_group == "projectOwners"
    error_message = jsonencode(google_bigquery_dataset.this["intake"].access)
  }
  assert {
    condition = { for key, one in google_bigquery_dataset_access.this : key => [one.dataset_id, one.role, one.user_by_email] } == {
      for key, one in run.planned.plan.members.dataset : key => [one.name, one.role, one.email]
    }
    error_message = jsonencode(google_bigquery_dataset_access.this)
  }
  assert {
    condition     = toset([for one in google_bigquery_dataset_access.this : one.user_by_email if contains(["intake", "staging"], one.dataset_id)]) == toset(["fn-loading-import@populus-prod.iam.gserviceaccount.com", "loader@populus-prod.iam.gserviceaccount.com"])
    error_message = "Somebody else than the loader and the import reaches raw counts."
  }
}

run "every_table_of_the_definitions_is_partitioned_and_clustered_as_they_say" {
  command = plan
  variables {
    members = { dataset = {}, loader_account = {} }
  }

  assert {
    condition = jsonencode({ for key, one in google_bigquery_table.this : key => [one.dataset_id, one.table_id, jsondecode(one.schema), [for part in one.time_partitioning : [part.type, part.field]], coalesce(one.clustering, [])] }) == jsonencode({
      for key, one in jsondecode(file(var.definitions_file)).tables : key => [one.dataset, one.table, one.schema, [for part in [one.partition] : [part.type, part.field] if part != null], one.clustering]
    })
    error_message = jsonencode({ for key, one in google_bigquery_table.this : key => one.time_partitioning })
  }
  assert {
    condition     = max(flatten([for one in google_bigquery_table.this : [for part in one.time_partitioning : part.expiration_ms] if one.dataset_id == "intake"])...) == 14 * 86400000
    error_message = "Raw counts stay for longer than two weeks."
  }
}

run "an_environment_gets_its_tables" {
  command = apply
  variables {
    definitions_file = "tests/tables/new.json"
    is_protected     = false
    members          = { dataset = {}, loader_account = {} }
  }

  assert {
    condition     = [for column in jsondecode(google_bigquery_table.this["mobility.visits"].schema) : column.name] == ["day", "visits", "added"]
    error_message = google_bigquery_table.this["mobility.visits"].schema
  }
}

# The provider would drop the column, and make a table with a new required one again.
run "a_rollback_takes_no_column" {
  command = apply
  variables {
    definitions_file = "tests/tables/former.json"
    is_protected     = false
    members          = { dataset = {}, loader_account = {} }
  }

  assert {
    condition     = [for column in jsondecode(google_bigquery_table.this["mobility.visits"].schema) : column.name] == ["day", "visits", "added"]
    error_message = google_bigquery_table.this["mobility.visits"].schema
  }
}

run "a_basic_role_or_a_person_on_a_dataset_is_refused" {
  command = plan
  variables {
    definitions_file  = "tests/warehouse.tftest.hcl"
    kms_keys          = { eu = "stores", region = "stores" }
    members           = { dataset = { person = { email = "somebody@example.com", name = "mobility", role = "roles/viewer" } }, loader_account = {} }
    region            = "EU"
    time_travel_hours = 24
  }
  expect_failures = [var.definitions_file, var.kms_keys, var.members, var.region, var.time_travel_hours]
}
