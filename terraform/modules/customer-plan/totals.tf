# Resources that grow with customers, against the limits of https://docs.cloud.google.com/iam/quotas and …/bigquery/quotas.
# Exceeding one fails an apply half way, so the plan warns.
locals {
  delivery_projects = concat([var.delivery_project], var.more_delivery_projects)

  # Of the accounts, the members of a project's policy and the listings of an exchange: those of the fullest project.
  unlimited = [for id in local.warehouse_users : id if local.accounts[id].project == var.data_project]

  totals = {
    service_accounts = max([for project in local.delivery_projects : length([for one in values(local.accounts) : one if one.project == project])]...)
    policy_members   = max([for project in local.delivery_projects : length([for id in local.warehouse_users : id if local.accounts[id].project == project])]...)
    managed_folders  = length(local.folders)
    datasets         = length(local.datasets)
    tables           = length(local.tables)
    listings         = max([for project in local.delivery_projects : length([for one in values(local.listings) : one if one.project == project])]...)
    # The maximum over the datasets.
    authorised_views = max(0, [for reads in distinct(values(local.views)[*].reads) : length([for view in values(local.views) : view if view.reads == reads])]...)
  }
}

check "service_accounts" {
  assert {
    condition     = local.totals.service_accounts <= var.service_accounts_max
    error_message = "${local.totals.service_accounts} service accounts in one delivery project, two per customer: its quota is ${var.service_accounts_max}. Have it raised (IAM API, Service Account Count), then raise service_accounts_max; or add a delivery project for new customers."
  }
}

check "policy_members" {
  assert {
    condition     = local.totals.policy_members <= 1400
    error_message = "${local.totals.policy_members} customers with scenario B are in one delivery project's policy, which holds 1,500 members, some of them not customers. Grant the role to a group that they are members of, or add a delivery project."
  }
}

check "query_bytes" {
  assert {
    condition     = var.environment == "prod" || length(local.unlimited) == 0
    error_message = "${length(local.unlimited)} customers run their own queries (scenario B) in the data project, where no daily limit applies to what they read. Add a delivery project."
  }
}

check "authorised_views" {
  assert {
    condition     = local.totals.authorised_views <= 2500
    error_message = "${local.totals.authorised_views} views need authorisation on one dataset, which allows 2,500. Shard the customers' tables into several datasets by uid."
  }
}

# The functions' rule, ticksBetweenLoads in shared/realtime/load-customer-tables.ts, and its numbers: a table is loaded once every so many of a day's 288
# ticks that all of them together stay within the load jobs of a day.
locals {
  load_groups = 120
  load_ticks  = try([for every in range(1, local.load_groups + 1) : every if local.load_groups % every == 0 && local.totals.tables * 288 / every <= var.load_jobs_max][0], local.load_groups)
  load_jobs   = ceil(local.totals.tables * 288 / local.load_ticks)
}

check "load_jobs" {
  assert {
    condition     = local.load_jobs <= var.load_jobs_max
    error_message = "${local.totals.tables} tables of customers take ${local.load_jobs} load jobs a day even if each is loaded once in ${local.load_groups * 5} minutes; a project has 100,000. Agree on more with Google, or load them in the delivery projects."
  }
}

check "listings" {
  assert {
    condition     = local.totals.listings <= 1000
    error_message = "${local.totals.listings} listings in one exchange, which allows 1,000. Create a second exchange: a project can have 500."
  }
}
