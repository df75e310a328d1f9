# Who signs in from CI, and what these accounts may do.
variables {
  bytes_billed_max      = 1099511627776
  candidate_hosts       = { data = "data-candidate.example.com", users = "users-candidate.example.com" }
  ci                    = { repository = "example/populus", repository_id = "4711" }
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

run "only_the_repository_signs_in_and_only_its_protected_environment_applies" {
  command = plan

  assert {
    condition     = output.ci.condition == "assertion.repository_id == '4711'"
    error_message = "A token of another repository is refused before it reaches an account."
  }
  assert {
    condition = { for what, one in output.members.ci_account : what => one.member } == {
      apply = "principal://iam.googleapis.com/projects/123456789/locations/global/workloadIdentityPools/github/subject/repo:example/populus:environment:prod"
      plan  = "principalSet://iam.googleapis.com/projects/123456789/locations/global/workloadIdentityPools/github/attribute.repository_id/4711"
    }
    error_message = "Signed in as: ${jsonencode(output.members.ci_account)}"
  }
}

run "who_plans_only_reads" {
  command = plan

  assert {
    condition = toset(flatten([
      for kind, members in output.members : [for one in values(members) : "${kind} ${one.role}" if kind != "ci_project" && one.member == "serviceAccount:ci-plan@populus-prod.iam.gserviceaccount.com"]
    ])) == toset(["ci_delivery_project roles/browser", "ci_state roles/storage.objectViewer"])
    error_message = "Outside of its project, a plan reads the state and the number of the delivery project."
  }
  assert {
    condition = alltrue([
      for one in values(output.members.ci_project) : can(regex("^(roles/[a-z]+\\.([a-zA-Z]*[vV]iewer|reader|securityReviewer|serviceUsageConsumer)|projects/populus-prod/roles/ciPlan)$", one.role))
      if one.member == "serviceAccount:ci-plan@populus-prod.iam.gserviceaccount.com"
    ])
    error_message = "A plan has a role that does not only read: ${jsonencode(output.members.ci_project)}"
  }
  # The roles of viewers that read data besides settings, by service, and the basic one.
  assert {
    condition = length(setintersection(
      [for one in values(output.members.ci_project) : one.role if one.member == "serviceAccount:ci-plan@populus-prod.iam.gserviceaccount.com"],
      ["roles/viewer", "roles/bigquery.dataViewer", "roles/bigquery.user", "roles/datastore.viewer", "roles/logging.viewer", "roles/logging.privateLogViewer", "roles/storage.objectViewer", "roles/storage.legacyObjectReader"],
    )) == 0
    error_message = "A plan reads customers' data."
  }
  assert {
    condition     = alltrue([for one in output.ci.plan_role.permissions : can(regex("\\.(get|list|getMetadata|getAttestationRules)$", one)) && !can(regex("^(bigquery\\.tables|datastore\\.entities|logging\\.logEntries|storage\\.objects|secretmanager\\.versions)\\.", one))])
    error_message = "The role of a plan does more than read settings: ${jsonencode(output.ci.plan_role.permissions)}"
  }
}

run "without_a_repository_nobody_signs_in" {
  command = plan
  variables {
    ci = null
  }

  assert {
    condition     = output.ci == null && length(flatten([for kind, members in output.members : keys(members) if startswith(kind, "ci_")])) == 0
    error_message = "There are accounts that nobody asked for."
  }
}

run "a_repository_by_its_name_alone" {
  command = plan
  variables {
    ci = { repository = "example/populus", repository_id = "populus" }
  }
  expect_failures = [var.ci]
}
