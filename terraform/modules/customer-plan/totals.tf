# What grows with customers, against the limits of https://docs.cloud.google.com/iam/quotas and …/bigquery/quotas.
# Passed, each of them fails an apply half way: so the plan warns.
locals {
  totals = {
    service_accounts = length(local.accounts)
    policy_members   = length(local.warehouse_users)
    managed_folders  = length(local.folders)
    datasets         = length(local.datasets)
    listings         = length(local.listings)
    # Of the dataset that has most to authorise.
    authorised_views = max(0, [for reads in distinct(values(local.views)[*].reads) : length([for view in values(local.views) : view if view.reads == reads])]...)
  }
}

check "service_accounts" {
  assert {
    condition     = local.totals.service_accounts <= var.service_accounts_max
    error_message = "${local.totals.service_accounts} service accounts, two a customer: the delivery project's quota is ${var.service_accounts_max}. Have it raised (IAM API, Service Account Count), then raise service_accounts_max."
  }
}

check "policy_members" {
  assert {
    condition     = local.totals.policy_members <= 1400
    error_message = "${local.totals.policy_members} customers with scenario B stand in the delivery project's policy, which holds 1,500 members, some of them not customers. Grant the role to a group that they are members of, or add a delivery project."
  }
}

check "query_bytes" {
  assert {
    condition     = var.environment == "prod" || var.delivery_project != var.data_project || local.totals.policy_members == 0
    error_message = "${local.totals.policy_members} customers run queries of their own (scenario B) in the data project, where no daily limit holds for what they read. Give them a delivery project."
  }
}

check "authorised_views" {
  assert {
    condition     = local.totals.authorised_views <= 2500
    error_message = "${local.totals.authorised_views} views are to be authorised on one dataset, which takes 2,500. Give the delivery project a dataset of headcounts by shards of uids."
  }
}

check "listings" {
  assert {
    condition     = local.totals.listings <= 1000
    error_message = "${local.totals.listings} listings in one exchange, which takes 1,000. Make a second exchange: a project has up to 500."
  }
}
