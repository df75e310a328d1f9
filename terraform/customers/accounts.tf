# `customers suspend` disables it. An apply must not enable it again.
resource "google_service_account" "customer" {
  for_each = module.plan.accounts

  project      = local.environment.delivery_project
  account_id   = each.value.account_id
  display_name = "${each.value.profile} tokens of customer ${each.value.uid}"
  description  = "What a ${each.value.profile} token of ${each.value.uid} may reach; minted by the login function alone"

  lifecycle {
    ignore_changes = [disabled]
  }
}

# Access tokens only. The predefined roles also allow signatures, OIDC tokens and delegation.
resource "google_project_iam_custom_role" "token_minter" {
  project     = local.environment.delivery_project
  role_id     = "populusTokenMinter"
  title       = "Populus token minter"
  description = "Makes access tokens of the service accounts that it is granted on"
  permissions = ["iam.serviceAccounts.getAccessToken"]
}

resource "google_service_account_iam_member" "token_minter" {
  for_each = module.plan.accounts

  service_account_id = google_service_account.customer[each.key].name
  role               = google_project_iam_custom_role.token_minter.name
  member             = module.plan.token_minter
}

# The warehouse user role: roles/bigquery.user without creating datasets and seeing those of other customers.
# One binding per customer: a policy holds 1,500 members, and counts them once for each role.
resource "google_project_iam_custom_role" "warehouse_user" {
  project     = local.environment.delivery_project
  role_id     = "populusWarehouseUser"
  title       = "Populus warehouse user"
  description = "Runs queries in this project, and reads their results through the storage API too"
  permissions = [
    "bigquery.jobs.create",
    "bigquery.readsessions.create",
    "bigquery.readsessions.getData",
    "bigquery.readsessions.update",
  ]
}

resource "google_project_iam_member" "warehouse_user" {
  for_each = module.plan.warehouse_users

  project = local.environment.delivery_project
  role    = google_project_iam_custom_role.warehouse_user.name
  member  = google_service_account.customer[each.key].member
}
