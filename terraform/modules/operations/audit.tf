# The audit log, in a separate bucket with its own retention: administrators' changes, access to the data by anyone but the functions, every minted
# token, the service's own audit entries (`shared/runtime/audit.ts`), and the operator's tool (log `operator`).
locals {
  audit_entries = join(" OR ", [
    "log_id(\"cloudaudit.googleapis.com/activity\")",
    "log_id(\"cloudaudit.googleapis.com/data_access\")",
    "log_id(\"cloudaudit.googleapis.com/policy\")",
    "log_id(\"operator\")",
    "jsonPayload.audit.action:*",
  ])
  own_queries = join(" AND ", [
    "log_id(\"cloudaudit.googleapis.com/data_access\")",
    "protoPayload.serviceName=\"bigquery.googleapis.com\"",
    "protoPayload.authenticationInfo.principalEmail=(${join(" OR ", [for email in sort(var.function_emails) : jsonencode(email)])})",
  ])
}

resource "google_logging_project_bucket_config" "audit" {
  project        = var.project_id
  location       = var.region
  bucket_id      = "audit"
  description    = "Who did what"
  retention_days = var.audit_retention_days
}

# Two copies: one to search (for audit_retention_days), and one in a bucket whose files nobody can change during their retention.
resource "google_logging_project_sink" "audit" {
  for_each = {
    archive = "storage.googleapis.com/${var.archive_bucket}"
    search  = "logging.googleapis.com/${google_logging_project_bucket_config.audit.id}"
  }

  project                = var.project_id
  name                   = "audit-${each.key}"
  description            = "Audit entries of Google Cloud, of the service and of its operators"
  destination            = each.value
  filter                 = local.audit_entries
  unique_writer_identity = true

  # BigQuery writes an entry for each of the functions' queries, and this cannot be turned off.
  exclusions {
    name        = "queries-of-functions"
    description = "The functions' own queries"
    filter      = local.own_queries
  }
}

# A sink needs no grant to write to a log bucket of its own project.
resource "google_storage_bucket_iam_member" "archive" {
  bucket = var.archive_bucket
  role   = "roles/storage.objectCreator"
  member = google_logging_project_sink.audit["archive"].writer_identity
}

resource "google_logging_log_view" "operators" {
  name        = "operators"
  parent      = "projects/${var.project_id}"
  location    = google_logging_project_bucket_config.audit.location
  bucket      = google_logging_project_bucket_config.audit.id
  description = "Operators' actions with npm run admin, for their auditors only"
  filter      = "LOG_ID(\"operator\")"
}

# Data access entries of anyone but the functions.
resource "google_project_iam_audit_config" "data" {
  for_each = var.audited

  project = var.project_id
  service = each.key

  dynamic "audit_log_config" {
    for_each = toset(each.value)
    iterator = kind
    content {
      log_type         = kind.value
      exempted_members = [for email in var.function_emails : "serviceAccount:${email}"]
    }
  }
}

# Minted tokens of service accounts, including customers'. For a separate delivery project see terraform/customers. Nobody is exempt.
# iamcredentials.googleapis.com is enabled only through iam.googleapis.com. Google's page has called minting ADMIN_READ, and later DATA_READ:
# https://docs.cloud.google.com/iam/docs/audit-logging/audit-logging-iamcreds
resource "google_project_iam_audit_config" "tokens" {
  project = var.project_id
  service = "iam.googleapis.com"

  audit_log_config {
    log_type = "ADMIN_READ"
  }
  audit_log_config {
    log_type = "DATA_READ"
  }
}
