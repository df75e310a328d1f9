# The provider's deliveries, which hold raw counts: nobody has this bucket but the uploader, the loader, the import function
# and the project's owners (owners.tf).
resource "google_storage_bucket" "landing" {
  project                     = var.project_id
  name                        = var.name
  location                    = var.region
  storage_class               = "STANDARD"
  uniform_bucket_level_access = true
  public_access_prevention    = "enforced"
  force_destroy               = !var.is_protected
  labels                      = merge(var.labels, { purpose = "landing" })

  dynamic "encryption" {
    for_each = var.kms_key == null ? [] : [var.kms_key]
    content {
      default_kms_key_name = encryption.value
    }
  }

  versioning {
    enabled = false
  }

  # Raw counts must be gone when their days are over.
  soft_delete_policy {
    retention_duration_seconds = 0
  }

  # As long as raw rows stay in `intake`. The days of folders and of the quarantine alike: a correction after this brings the whole day.
  lifecycle_rule {
    condition {
      age = var.retention_days
    }
    action {
      type = "Delete"
    }
  }

  lifecycle_rule {
    condition {
      age = 1
    }
    action {
      type = "AbortIncompleteMultipartUpload"
    }
  }
}

# Delivered at least once. The import does nothing for objects that are no manifest, and nothing twice.
resource "google_storage_notification" "landing" {
  bucket             = google_storage_bucket.landing.name
  topic              = var.topic
  payload_format     = "JSON_API_V1"
  event_types        = ["OBJECT_FINALIZE"]
  object_name_prefix = "landing/"

  depends_on = [google_pubsub_topic_iam_member.notifier]
}

resource "google_pubsub_topic_iam_member" "notifier" {
  for_each = var.members.landing_topic

  project = var.project_id
  topic   = var.topic
  role    = each.value.role
  member  = each.value.member

  depends_on = [google_storage_bucket.landing]
}
