# Workflows of one repository sign in without a key.
mock_provider "google" {}
mock_provider "time" {}

# Google's own provider takes members and accounts in their forms alone, which Terraform does not make up.
override_resource {
  target = google_service_account.ci["apply"]
  values = { email = "ci-apply@populus-prod.iam.gserviceaccount.com", member = "serviceAccount:ci-apply@populus-prod.iam.gserviceaccount.com", name = "projects/populus-prod/serviceAccounts/ci-apply@populus-prod.iam.gserviceaccount.com" }
}
override_resource {
  target = google_service_account.ci["plan"]
  values = { email = "ci-plan@populus-prod.iam.gserviceaccount.com", member = "serviceAccount:ci-plan@populus-prod.iam.gserviceaccount.com", name = "projects/populus-prod/serviceAccounts/ci-plan@populus-prod.iam.gserviceaccount.com" }
}

variables {
  project_id = "populus-prod"
  repository = "example/populus"
}

run "planned" {
  command = plan
  variables {
    ci = { repository = "example/populus", repository_id = "4711" }
  }
  module {
    source = "../environment-plan/tests/production"
  }
}

run "only_the_repository_signs_in_and_only_its_environment_applies" {
  command = apply
  variables {
    ci      = run.planned.plan.ci
    members = { for kind in ["ci_account", "ci_delivery_project", "ci_project", "ci_state"] : kind => run.planned.plan.members[kind] }
  }

  assert {
    condition     = google_iam_workload_identity_pool_provider.github.attribute_condition == "assertion.repository_id == '4711'" && google_iam_workload_identity_pool_provider.github.oidc[0].issuer_uri == "https://token.actions.githubusercontent.com"
    error_message = google_iam_workload_identity_pool_provider.github.attribute_condition
  }
  # What the members are granted by is what the pool maps.
  assert {
    condition     = toset(keys(google_iam_workload_identity_pool_provider.github.attribute_mapping)) == toset(["google.subject", "attribute.repository_id"])
    error_message = jsonencode(google_iam_workload_identity_pool_provider.github.attribute_mapping)
  }
  assert {
    condition = { for what, one in google_service_account_iam_member.ci : what => [one.service_account_id, one.role, one.member] } == {
      apply = [google_service_account.ci["apply"].name, "roles/iam.workloadIdentityUser", "principal://iam.googleapis.com/projects/123456789/locations/global/workloadIdentityPools/github/subject/repo:example/populus:environment:prod"]
      plan  = [google_service_account.ci["plan"].name, "roles/iam.workloadIdentityUser", "principalSet://iam.googleapis.com/projects/123456789/locations/global/workloadIdentityPools/github/attribute.repository_id/4711"]
    }
    error_message = jsonencode(google_service_account_iam_member.ci)
  }
  assert {
    condition     = google_iam_workload_identity_pool.ci.workload_identity_pool_id == "github" && toset(keys(output.sign_in.accounts)) == toset(["apply", "plan"])
    error_message = jsonencode(output.sign_in)
  }
}

run "who_plans_only_reads" {
  command = plan
  variables {
    ci      = run.planned.plan.ci
    members = { for kind in ["ci_account", "ci_delivery_project", "ci_project", "ci_state"] : kind => run.planned.plan.members[kind] }
  }

  assert {
    condition     = { for key, one in google_project_iam_member.ci : key => [one.role, one.member] } == { for key, one in run.planned.plan.members.ci_project : key => [one.role, one.member] }
    error_message = "The accounts have other roles in the project than planned."
  }
  # A member names the role, so it exists by then.
  assert {
    condition     = contains([for one in values(google_project_iam_member.ci) : one.role], "projects/populus-prod/roles/${google_project_iam_custom_role.plan.role_id}") && google_project_iam_custom_role.plan.permissions == run.planned.plan.ci.plan_role.permissions
    error_message = "Nobody has the role of a plan, or it has other permissions than planned."
  }
  assert {
    condition = toset([for one in concat(values(google_project_iam_member.delivery), values(google_storage_bucket_iam_member.state)) : one.role
    if one.member == "serviceAccount:ci-plan@populus-prod.iam.gserviceaccount.com"]) == toset(["roles/browser", "roles/storage.objectViewer"])
    error_message = "Outside of the project, planning has another role than reading."
  }
  assert {
    condition     = alltrue([for one in google_storage_bucket_iam_member.state : one.bucket == "populus-prod-terraform-state"]) && alltrue([for one in google_project_iam_member.delivery : one.project == "populus-delivery"])
    error_message = "A role is on another resource."
  }
}

run "a_pool_whose_id_google_refuses_is_refused_here" {
  command = plan
  variables {
    ci      = merge(run.planned.plan.ci, { pool = "ci" })
    members = { for kind in ["ci_account", "ci_delivery_project", "ci_project", "ci_state"] : kind => run.planned.plan.members[kind] }
  }
  expect_failures = [var.ci]
}
