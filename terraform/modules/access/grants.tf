resource "google_project_iam_custom_role" "this" {
  for_each = var.custom_roles

  project     = each.value.project_id
  role_id     = each.value.role_id
  title       = each.value.title
  description = each.value.description
  permissions = each.value.permissions
}

# Only members are added, so that each grant is independent and other entries of a policy stay.
resource "google_project_iam_member" "function" {
  for_each = var.members.project

  project = var.project_id
  role    = each.value.role
  member  = each.value.member

  depends_on = [google_project_iam_custom_role.this, var.ready]
}

# Firestore's databases have no policies. The role is on the project, with a condition that limits it to one database:
# https://cloud.google.com/firestore/docs/manage-databases#access_control
resource "google_project_iam_member" "database" {
  for_each = var.members.database

  project = var.project_id
  role    = each.value.role
  member  = each.value.member

  condition {
    title      = each.value.condition.title
    expression = each.value.condition.expression
  }

  depends_on = [var.ready]
}

# On the project, which may be another than the functions': the provider knows no policy of a single reservation.
resource "google_project_iam_member" "reservation" {
  for_each = var.members.reservation

  project = each.value.project_id
  role    = each.value.role
  member  = each.value.member

  depends_on = [google_project_iam_custom_role.this, var.ready]
}

resource "google_cloud_tasks_queue_iam_member" "function" {
  for_each = var.members.queue

  project  = var.project_id
  location = var.queue.region
  name     = var.queue.name
  role     = each.value.role
  member   = each.value.member

  depends_on = [var.ready]
}

resource "google_service_account_iam_member" "function" {
  for_each = var.members.queue_account

  service_account_id = var.queue.account
  role               = each.value.role
  member             = each.value.member

  depends_on = [var.ready]
}

resource "google_pubsub_topic_iam_member" "function" {
  for_each = var.members.topic

  project = var.project_id
  topic   = var.topics[each.value.name]
  role    = each.value.role
  member  = each.value.member

  depends_on = [var.ready]
}

resource "google_bigquery_table_iam_member" "function" {
  for_each = var.members.table

  project    = var.project_id
  dataset_id = split("/", var.tables[each.value.name])[3]
  table_id   = split("/", var.tables[each.value.name])[5]
  role       = each.value.role
  member     = each.value.member

  depends_on = [var.ready]
}

resource "google_storage_bucket_iam_member" "function" {
  for_each = var.members.export_bucket

  bucket = var.export_bucket
  role   = each.value.role
  member = each.value.member

  depends_on = [var.ready]
}
