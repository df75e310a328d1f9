locals {
  # Whatever the file holds, what is planned is this environment's.
  customers = { for uid, customer in var.customers : uid => customer if customer.environment == var.environment }

  # Named as the functions expect them: serviceAccountOf in shared/accounts/access-tokens.ts. Both profiles for everyone: which of them a key may
  # use is the key's, and `customers activate` looks for both.
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
}
