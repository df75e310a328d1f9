# `customers suspend` disables it. An apply must not enable it again.
resource "google_service_account" "customer" {
  for_each = module.plan.accounts

  project      = each.value.project
  account_id   = each.value.account_id
  display_name = "${each.value.profile} tokens of customer ${each.value.uid}"
  description  = "What a ${each.value.profile} token of ${each.value.uid} may reach; minted by the login function alone"

  lifecycle {
    ignore_changes = [disabled]
  }
}

resource "google_project_iam_custom_role" "token_minter" {
  for_each = local.delivery_projects

  project     = each.value
  role_id     = module.plan.custom_roles.token_minter.role_id
  title       = module.plan.custom_roles.token_minter.title
  description = module.plan.custom_roles.token_minter.description
  permissions = module.plan.custom_roles.token_minter.permissions
}

resource "google_service_account_iam_member" "token_minter" {
  for_each = module.plan.accounts

  service_account_id = google_service_account.customer[each.key].name
  role               = google_project_iam_custom_role.token_minter[local.key_of[module.plan.accounts[each.key].project]].name
  member             = module.plan.token_minter
}

resource "google_project_iam_custom_role" "url_signer" {
  for_each = local.delivery_projects

  project     = each.value
  role_id     = module.plan.custom_roles.url_signer.role_id
  title       = module.plan.custom_roles.url_signer.title
  description = module.plan.custom_roles.url_signer.description
  permissions = module.plan.custom_roles.url_signer.permissions
}

resource "google_service_account_iam_member" "url_signer" {
  for_each = module.plan.signing_accounts

  service_account_id = google_service_account.customer[each.key].name
  role               = google_project_iam_custom_role.url_signer[local.key_of[module.plan.accounts[each.key].project]].name
  member             = module.plan.url_signer
}

resource "google_project_iam_custom_role" "warehouse_user" {
  for_each = local.delivery_projects

  project     = each.value
  role_id     = module.plan.custom_roles.warehouse_user.role_id
  title       = module.plan.custom_roles.warehouse_user.title
  description = module.plan.custom_roles.warehouse_user.description
  permissions = module.plan.custom_roles.warehouse_user.permissions
}

# A policy holds 1,500 members, and counts them once for each role.
resource "google_project_iam_member" "warehouse_user" {
  for_each = module.plan.warehouse_users

  project = module.plan.accounts[each.key].project
  role    = google_project_iam_custom_role.warehouse_user[local.key_of[module.plan.accounts[each.key].project]].name
  member  = google_service_account.customer[each.key].member

  depends_on = [time_sleep.accounts]
}

# BigQuery and a delivery project's policies refuse an account that was created a moment ago, and the provider does not repeat that. One wait for all:
# another account makes it again, and grants that exist do not change.
resource "time_sleep" "accounts" {
  create_duration = "60s"
  triggers        = { accounts = sha256(jsonencode(sort([for account in google_service_account.customer : account.unique_id]))) }
}
