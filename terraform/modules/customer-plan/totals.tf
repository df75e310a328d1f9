# Resources that grow with customers, against the limits of https://docs.cloud.google.com/iam/quotas and …/bigquery/quotas.
# Exceeding one fails an apply half way, so the plan warns.
locals {
  totals = {
    service_accounts = length(local.accounts)
    policy_members   = length(local.warehouse_users)
    managed_folders  = length(local.folders)
    datasets         = length(local.datasets)
    tables           = length(local.tables)
    listings         = length(local.listings)
    # The maximum over the datasets.
    authorised_views = max(0, [for reads in distinct(values(local.views)[*].reads) : length([for view in values(local.views) : view if view.reads == reads])]...)
  }
}

check "service_accounts" {
  assert {
    condition     = local.totals.service_accounts <= var.service_accounts_max
    error_message = "${local.totals.service_accounts} service accounts, two per customer: the delivery project's quota is ${var.service_accounts_max}. Have it raised (IAM API, Service Account Count), then raise service_accounts_max."
  }
}

check "policy_members" {
  assert {
    condition     = local.totals.policy_members <= 1400
    error_message = "${local.totals.policy_members} customers with scenario B are in the delivery project's policy, which holds 1,500 members, some of them not customers. Grant the role to a group that they are members of, or add a delivery project."
  }
}

check "query_bytes" {
  assert {
    condition     = var.environment == "prod" || var.delivery_project != var.data_project || local.totals.policy_members == 0
    error_message = "${local.totals.policy_members} customers run their own queries (scenario B) in the data project, where no daily limit applies to what they read. Add a delivery project."
  }
}

check "authorised_views" {
  assert {
    condition     = local.totals.authorised_views <= 2500
    error_message = "${local.totals.authorised_views} views need authorisation on one dataset, which allows 2,500. Shard the customers' tables into several datasets by uid."
  }
}

check "load_jobs" {
  assert {
    condition     = local.totals.tables * 288 <= var.load_jobs_max
    error_message = "${local.totals.tables} tables of customers take up to ${local.totals.tables * 288} load jobs a day, one a tick and table; a project has 100,000. Make ticks less frequent, or agree on more with Google."
  }
}

check "listings" {
  assert {
    condition     = local.totals.listings <= 1000
    error_message = "${local.totals.listings} listings in one exchange, which allows 1,000. Create a second exchange: a project can have 500."
  }
}
