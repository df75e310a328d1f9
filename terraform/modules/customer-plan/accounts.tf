locals {
  # The file may hold customers of several environments. Only those of this environment are planned.
  customers = { for uid, customer in var.customers : uid => customer if customer.environment == var.environment }

  # The names that the functions expect: serviceAccountOf in shared/accounts/access-tokens.ts. Every customer has both profiles: each key says which
  # it may use, and `customers activate` tests both.
  accounts = merge([
    for uid, customer in local.customers : {
      for profile in ["storage", "warehouse"] : "${profile}-${uid}" => {
        account_id = "${profile}-${uid}"
        email      = "${profile}-${uid}@${var.delivery_project}.iam.gserviceaccount.com"
        member     = "serviceAccount:${profile}-${uid}@${var.delivery_project}.iam.gserviceaccount.com"
        profile    = profile
        uid        = uid
      }
    }
  ]...)

  # The slash at the end keeps customer u1 out of the folder of u10.
  folders = {
    for uid, customer in local.customers : uid => {
      name    = "results/${uid}/"
      account = "storage-${uid}"
    }
  }

  custom_roles = {
    # Access tokens only. The predefined roles also allow signatures, OIDC tokens and delegation.
    token_minter = {
      role_id     = "populusTokenMinter"
      title       = "Populus token minter"
      description = "Makes access tokens of the service accounts that it is granted on"
      permissions = ["iam.serviceAccounts.getAccessToken"]
    }

    # roles/bigquery.user without creating datasets and seeing those of other customers.
    warehouse_user = {
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
  }
}
