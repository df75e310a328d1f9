# Counts of what Google limits, apart from what grows with customers (modules/customer-plan). modules/quotas compares them with the limits.
locals {
  members_of_project = concat(values(local.members.project), values(local.members.database), values(local.members.build_project), values(local.members.ci_project))
  members_of_data    = concat(values(local.members.dataset), values(local.members.table), [for one in values(local.members.export_bucket) : merge(one, { name = "exports" })], [for one in values(local.members.landing_bucket) : merge(one, { name = "landing" })])

  totals = merge(module.catalogue.totals, {
    # Each endpoint has a second one, for the release that has no traffic yet.
    backends  = module.catalogue.totals.backends * (var.candidate_hosts == null ? 1 : 2)
    functions = length(local.functions)
    # A policy counts a member once for each role, and each exemption from the audit log once for each service and kind of entry:
    # https://cloud.google.com/iam/quotas
    policy_members   = length(distinct([for one in local.members_of_project : "${one.role} ${one.member}"])) + length(flatten(values(local.audited))) * length(local.functions)
    service_accounts = length(local.account_ids)
    # The maximum over the datasets, the tables and the buckets of exports and deliveries.
    data_policy_members = max([for name in distinct(local.members_of_data[*].name) : length([for one in local.members_of_data : one if one.name == name])]...)
  })
}
