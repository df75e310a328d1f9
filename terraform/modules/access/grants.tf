# Only members are added here, so that each grant is independent and other entries of a policy stay.
locals {
  of    = { for kind in ["export_bucket", "project", "queue", "queue_account", "table", "topic"] : kind => { for key, grant in var.grants : key => grant if grant.on == kind } }
  roles = { stop_warehouse_jobs = google_project_iam_custom_role.stop_warehouse_jobs.id }
}

# A BigQuery account can stop only its own jobs. The only predefined role that can stop those of others is the administrator's.
resource "google_project_iam_custom_role" "stop_warehouse_jobs" {
  project     = var.project_id
  role_id     = "stopWarehouseJobs"
  title       = "Stop warehouse jobs"
  description = "For functions that cancel queries which the aggregation worker has started"
  permissions = ["bigquery.jobs.get", "bigquery.jobs.update"]
}

resource "google_project_iam_member" "function" {
  for_each = local.of.project

  project = var.project_id
  role    = lookup(local.roles, each.value.role, each.value.role)
  member  = "serviceAccount:${var.emails[each.value.function]}"
}

resource "google_cloud_tasks_queue_iam_member" "function" {
  for_each = local.of.queue

  project  = var.project_id
  location = var.queue.region
  name     = var.queue.name
  role     = each.value.role
  member   = "serviceAccount:${var.emails[each.value.function]}"
}

resource "google_service_account_iam_member" "function" {
  for_each = local.of.queue_account

  service_account_id = var.queue.account
  role               = each.value.role
  member             = "serviceAccount:${var.emails[each.value.function]}"
}

resource "google_pubsub_topic_iam_member" "function" {
  for_each = local.of.topic

  project = var.project_id
  topic   = var.topic
  role    = each.value.role
  member  = "serviceAccount:${var.emails[each.value.function]}"
}

resource "google_bigquery_table_iam_member" "function" {
  for_each = local.of.table

  project    = var.project_id
  dataset_id = split("/", var.tables[each.value.name])[3]
  table_id   = split("/", var.tables[each.value.name])[5]
  role       = each.value.role
  member     = "serviceAccount:${var.emails[each.value.function]}"
}

resource "google_storage_bucket_iam_member" "function" {
  for_each = local.of.export_bucket

  bucket = var.export_bucket
  role   = each.value.role
  member = "serviceAccount:${var.emails[each.value.function]}"
}
