locals {
  # The file may hold customers of several environments. Only those of this environment are planned.
  customers = { for uid, customer in var.customers : uid => customer if customer.environment == var.environment }

  # A customer's accounts, datasets and listing are in the project that it was placed in when it was created (accountsProjectOf in
  # shared/accounts/accounts-project.ts). An account cannot move.
  projects = { for uid, customer in local.customers : uid => coalesce(customer.accounts_project, var.delivery_project) }

  # The names that the functions expect: serviceAccountOf in shared/accounts/access-tokens.ts. Every customer has both profiles: each key says which
  # it may use, and `customers activate` tests both.
  accounts = merge([
    for uid, customer in local.customers : {
      for profile in ["storage", "warehouse"] : "${profile}-${uid}" => {
        account_id = "${profile}-${uid}"
        email      = "${profile}-${uid}@${local.projects[uid]}.iam.gserviceaccount.com"
        member     = "serviceAccount:${profile}-${uid}@${local.projects[uid]}.iam.gserviceaccount.com"
        profile    = profile
        project    = local.projects[uid]
        uid        = uid
      }
    }
  ]...)

  # URLs are signed as storage accounts only.
  signing_accounts = toset([for id, account in local.accounts : id if account.profile == "storage"])

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

    # Signatures only. Whoever may sign as an account can also get its access tokens, for any scope, by signing a request for one:
    # https://cloud.google.com/iam/docs/service-account-permissions#token-creator-role. So this is as much as the right to mint, and of storage
    # accounts alone, which read their own folder and nothing else.
    url_signer = {
      role_id     = "populusUrlSigner"
      title       = "Populus URL signer"
      description = "Signs URLs of files as the service accounts that it is granted on"
      permissions = ["iam.serviceAccounts.signBlob"]
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
