# What the functions may do: the generated permissions, each as one member of one policy.
mock_provider "google" {}

variables {
  export_bucket = "populus-prod-exports"
  project_id    = "populus-prod"
  queue         = { account = "projects/populus-prod/serviceAccounts/task-queue@populus-prod.iam.gserviceaccount.com", name = "aggregations", region = "europe-west1" }
}

run "planned" {
  command = plan
  module {
    source = "../environment-plan/tests/production"
  }
}

run "each_permission_of_the_functions_is_granted_and_nothing_else" {
  command = plan
  variables {
    custom_roles = run.planned.plan.custom_roles
    members      = { for kind in ["database", "export_bucket", "project", "queue", "queue_account", "reservation", "table", "topic"] : kind => run.planned.plan.members[kind] }
    tables       = { for key in keys(jsondecode(file("../../../infra/generated/tables.json")).tables) : key => "projects/populus-prod/datasets/${split(".", key)[0]}/tables/${split(".", key)[1]}" }
    topics       = run.planned.plan.published_topics
  }

  # The databases that are not the main one and the datasets are other modules': the keys are FUNCTION/GRANT.
  assert {
    condition = toset([
      for key in flatten([for members in [
        google_project_iam_member.function, google_project_iam_member.database, google_cloud_tasks_queue_iam_member.function, google_service_account_iam_member.function,
        google_pubsub_topic_iam_member.function, google_project_iam_member.reservation, google_bigquery_table_iam_member.function, google_storage_bucket_iam_member.function,
      ] : keys(members)]) : key if !startswith(key, "loader/")
      ]) == toset(flatten([
        for name, needs in jsondecode(file("../../../infra/generated/permissions.json")) : [
          for grant in needs.grants : "${name}/${grant}"
          if !contains(["signatures", "tokens"], grant) && !contains(["dataset", "landing_bucket"], split(":", jsondecode(file("../../../infra/generated/grants.json")).grants[grant].on)[0])
        ]
    ]))
    error_message = "Other grants than those of infra/generated/permissions.json."
  }
  assert {
    condition     = alltrue([for key, one in google_project_iam_member.database : one.condition[0].expression == "resource.name == \"projects/populus-prod/databases/${endswith(key, "/usage") ? "usage" : "(default)"}\""])
    error_message = jsonencode({ for key, one in google_project_iam_member.database : key => one.condition })
  }
  assert {
    condition     = { for key, one in google_bigquery_table_iam_member.function : key => "${one.dataset_id}.${one.table_id}" } == { for key, one in run.planned.plan.members.table : key => one.name }
    error_message = jsonencode(google_bigquery_table_iam_member.function)
  }
  assert {
    condition     = { for role, one in google_project_iam_custom_role.this : one.role_id => toset(one.permissions) } == { for role, one in run.planned.plan.custom_roles : one.role_id => toset(one.permissions) }
    error_message = jsonencode(google_project_iam_custom_role.this)
  }
}

run "a_basic_role_is_refused" {
  command = plan
  variables {
    custom_roles = {}
    members      = { database = {}, export_bucket = {}, project = { all = { member = "serviceAccount:fn@populus-prod.iam.gserviceaccount.com", role = "roles/editor" } }, queue = {}, queue_account = {}, reservation = {}, table = {}, topic = {} }
    tables       = {}
    topics       = {}
  }
  expect_failures = [var.members]
}
