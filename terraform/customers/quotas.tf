# Bytes that customers' queries may read a day; a day ends at midnight Pacific Time. BigQuery has one limit for all accounts of a project and none
# for a single account, and applies it to on-demand queries only. So only a separate delivery project is limited: in the data project the same limit
# would stop the service's own queries. A customer that needs more needs another delivery project. Removing these resources leaves the limits as they are.
resource "google_cloud_quotas_quota_preference" "query_bytes" {
  for_each = merge([
    for key, id in local.separate_projects : {
      "QueryUsagePerDay/${key}"        = { gib = local.environment.query_gib_per_day, project = id, quota = "QueryUsagePerDay" }
      "QueryUsagePerUserPerDay/${key}" = { gib = local.environment.query_gib_per_day_of_account, project = id, quota = "QueryUsagePerUserPerDay" }
    }
  ]...)

  parent        = "projects/${each.value.project}"
  name          = "bigquery-${lower(each.value.quota)}"
  service       = "bigquery.googleapis.com"
  quota_id      = each.value.quota
  contact_email = local.environment.contact_email
  justification = "Bounds what customers' queries cost"

  # A change from unlimited to a limit is a decrease of more than 10 %, which Google wants confirmed.
  ignore_safety_checks = "QUOTA_DECREASE_PERCENTAGE_TOO_HIGH"

  quota_config {
    preferred_value = tostring(each.value.gib * 1024) # MiB
  }
}
