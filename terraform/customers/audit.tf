# The audit logs of separate delivery projects: customers' tokens are minted there, and customers' queries run there. Entries go where those of the
# data project go (modules/operations/audit.tf), so that one log is searched and one bucket keeps files.
locals {
  audited = merge([
    for key, id in local.separate_projects : {
      "archive/${key}" = { destination = "storage.googleapis.com/${local.environment.data_project}-logs", project = id, purpose = "archive" }
      "search/${key}" = {
        destination = "logging.googleapis.com/projects/${local.environment.data_project}/locations/${local.environment.region}/buckets/audit"
        project     = id
        purpose     = "search"
      }
    }
  ]...)
}

resource "google_project_iam_audit_config" "tokens" {
  for_each = local.separate_projects

  project = each.value
  service = "iam.googleapis.com"

  audit_log_config {
    log_type = "ADMIN_READ"
  }
  audit_log_config {
    log_type = "DATA_READ"
  }
}

resource "google_logging_project_sink" "audit" {
  for_each = local.audited

  project                = each.value.project
  name                   = "audit-${each.value.purpose}"
  description            = "Audit entries of the customers' accounts, for the data project"
  destination            = each.value.destination
  filter                 = "log_id(\"cloudaudit.googleapis.com/activity\") OR log_id(\"cloudaudit.googleapis.com/data_access\") OR log_id(\"cloudaudit.googleapis.com/policy\")"
  unique_writer_identity = true
}

# To this log bucket only: https://cloud.google.com/logging/docs/export/configure_export_v2#dest-auth
resource "google_project_iam_member" "search" {
  for_each = { for key, one in local.audited : key => one if one.purpose == "search" }

  project = local.environment.data_project
  role    = "roles/logging.bucketWriter"
  member  = google_logging_project_sink.audit[each.key].writer_identity

  condition {
    title      = "audit-bucket"
    expression = "resource.name.endsWith(\"locations/${local.environment.region}/buckets/audit\")"
  }
}

resource "google_storage_bucket_iam_member" "archive" {
  for_each = { for key, one in local.audited : key => one if one.purpose == "archive" }

  bucket = "${local.environment.data_project}-logs"
  role   = "roles/storage.objectCreator"
  member = google_logging_project_sink.audit[each.key].writer_identity
}
