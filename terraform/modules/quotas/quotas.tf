# Google's quotas and limits, and what counts against them. Everything is counted in one project, the worst case: with a delivery project, customers'
# accounts and members count there. A quota can be raised on request, a limit cannot.
locals {
  sources = {
    bigquery = "https://docs.cloud.google.com/bigquery/quotas"
    iam      = "https://docs.cloud.google.com/iam/quotas"
    run      = "https://docs.cloud.google.com/run/quotas"
    urlMaps  = "https://docs.cloud.google.com/load-balancing/docs/quotas#url_maps"
  }

  own   = module.environment.totals
  sizes = { for size in var.sizes : tostring(size) => size }

  quotas = [for one in concat(local.of_accounts, local.of_routes, local.of_services) : merge(one, { url = local.sources[one.source] })]

  of_accounts = [
    {
      what        = "service accounts of a project"
      limit       = 100
      is_raisable = true
      source      = "iam"
      counts      = { for size, one in module.customers : size => local.own.service_accounts + one.totals.service_accounts }
      advice      = "two per customer: have Service Account Count raised first, or use delivery projects, one per 50 customers"
    },
    {
      what        = "members of the project's policy"
      limit       = 1500
      is_raisable = false
      source      = "iam"
      # One more is the writer of the delivery project's audit log (terraform/customers/audit.tf).
      counts = { for size, one in module.customers : size => local.own.policy_members + one.totals.policy_members + 1 }
      advice = "four audit exemptions per function, one member per customer with scenario B: from 1,400 on, use a group or another delivery project"
    },
    {
      what        = "members of a dataset's, a table's or a bucket's own policy, at most"
      limit       = 1500
      is_raisable = false
      source      = "iam"
      counts      = { for size in keys(local.sizes) : size => local.own.data_policy_members }
      advice      = "grows with functions, not with customers"
    },
  ]

  of_routes = flatten([for api in ["users", "data"] : [
    {
      what        = "route rules of the ${api} API, by their conditions (paths and methods)"
      limit       = 1000
      is_raisable = false
      source      = "urlMaps"
      counts      = { for size in keys(local.sizes) : size => local.own.by_api[api].predicates }
      advice      = "grows with endpoints, not with customers; then add another host with its own path matcher"
    },
    {
      what        = "path templates of the ${api} API"
      limit       = 100
      is_raisable = false
      source      = "urlMaps"
      counts      = { for size in keys(local.sizes) : size => local.own.by_api[api].path_templates }
      advice      = "as route rules"
    },
  ]])

  of_services = [
    {
      what        = "backend services of a URL map"
      limit       = 2500
      is_raisable = false
      source      = "urlMaps"
      counts      = { for size in keys(local.sizes) : size => local.own.backends }
      advice      = "two per endpoint: one for the release that has no traffic yet"
    },
    {
      what        = "Cloud Run services of a region"
      limit       = 1000
      is_raisable = true
      source      = "run"
      counts      = { for size in keys(local.sizes) : size => local.own.functions }
      advice      = "one per function"
    },
    {
      what        = "views that one dataset authorises, at most"
      limit       = 2500
      is_raisable = false
      source      = "bigquery"
      counts      = { for size, one in module.customers : size => one.totals.authorised_views }
      advice      = "one per customer with scenario A or B; then shard the datasets of headcounts by uid"
    },
    {
      what        = "load jobs of a day"
      limit       = 100000
      is_raisable = false
      source      = "bigquery"
      counts      = { for size, one in module.customers : size => one.load_jobs }
      advice      = "at most one per tick and customer's own table; from 313 tables on, a table is loaded less often: once in 20 minutes with 1,000 of them, 40 with 2,000 (output load_minutes)"
    },
    {
      what        = "listings of the exchange"
      limit       = 1000
      is_raisable = false
      source      = "bigquery"
      counts      = { for size, one in module.customers : size => one.totals.listings }
      advice      = "one per customer with scenario A; then add a second exchange (a project has up to 500)"
    },
  ]
}
