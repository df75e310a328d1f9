# Who did what, in a bucket of its own with its own time: what administrators changed, who but the functions reached into the data, every token that
# was minted, the service's own audit entries (`shared/runtime/audit.ts`), and the operator's tool (log `operator`).
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

# Twice: to be searched (as long as audit_retention_days), and in a bucket of files that nobody changes before its time.
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

  # BigQuery writes an entry for each of the functions' queries, and cannot be told otherwise.
  exclusions {
    name        = "queries-of-functions"
    description = "The functions' own queries"
    filter      = local.own_queries
  }
}

# To a log bucket of its own project a sink writes without a grant.
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
  description = "What operators did with npm run admin, for those who watch them and nothing else"
  filter      = "LOG_ID(\"operator\")"
}

# Entries for access to data. Functions are left out, which log their own requests: what remains is people, customers' tokens and accounts that should
# not be there. Each exemption counts as a member of the project's policy (at most 1,500: https://cloud.google.com/iam/quotas).
resource "google_project_iam_audit_config" "data" {
  for_each = {
    # Firestore's entries: https://cloud.google.com/firestore/docs/audit-logging
    "datastore.googleapis.com" = ["DATA_READ", "DATA_WRITE"]
    "storage.googleapis.com"   = ["DATA_READ", "DATA_WRITE"]
  }

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

# Tokens of service accounts, customers' among them, when they are minted; those in a delivery project of its own: terraform/customers. Nobody is
# exempt. iamcredentials.googleapis.com is switched on by iam.googleapis.com only; Google's page has called minting ADMIN_READ, and DATA_READ since:
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
