# Workflows of one repository sign in without a key: GitHub vouches for them, and the pool takes its word for that repository alone.
resource "google_iam_workload_identity_pool" "ci" {
  project                   = var.project_id
  workload_identity_pool_id = var.ci.pool
  display_name              = "CI"
  description               = "Workflows of ${var.repository}"
}

resource "google_iam_workload_identity_pool_provider" "github" {
  project                            = var.project_id
  workload_identity_pool_id          = google_iam_workload_identity_pool.ci.workload_identity_pool_id
  workload_identity_pool_provider_id = "github"
  display_name                       = "GitHub Actions"
  attribute_condition                = var.ci.condition
  attribute_mapping = {
    "google.subject"          = "assertion.sub"
    "attribute.repository_id" = "assertion.repository_id"
  }

  oidc {
    issuer_uri = "https://token.actions.githubusercontent.com"
  }
}

resource "google_service_account" "ci" {
  for_each = var.ci.account_ids

  project      = var.project_id
  account_id   = each.value
  display_name = "Workflows that ${each.key}"
  description  = "Roles: modules/environment-plan/ci.tf"
}

# A policy refuses an account that was created a moment ago, and the provider does not repeat that.
resource "time_sleep" "created" {
  create_duration = "60s"
  triggers        = { accounts = sha256(jsonencode(sort([for account in google_service_account.ci : account.unique_id]))) }
}

resource "google_service_account_iam_member" "ci" {
  for_each = var.members.ci_account

  service_account_id = google_service_account.ci[each.key].name
  role               = each.value.role
  member             = each.value.member

  depends_on = [google_iam_workload_identity_pool_provider.github]
}
