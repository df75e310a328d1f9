# It has personal data and the hashes of keys: nobody reads it but owners (owners.tf) and who exports. What a deletion took out of the database is gone from here
# after `retention_days`, so that nothing is kept for longer, deleted or not.
resource "google_storage_bucket" "export" {
  project                     = var.project_id
  name                        = var.export.bucket
  location                    = var.export.location
  storage_class               = "STANDARD"
  uniform_bucket_level_access = true
  public_access_prevention    = "enforced"
  force_destroy               = !var.is_protected
  labels                      = merge(var.labels, { purpose = "firestore-export" })

  dynamic "encryption" {
    for_each = var.export.kms_key == null ? [] : [var.export.kms_key]
    content {
      default_kms_key_name = encryption.value
    }
  }

  versioning {
    enabled = false
  }

  soft_delete_policy {
    retention_duration_seconds = 0
  }

  lifecycle_rule {
    condition {
      age = var.export.retention_days
    }
    action {
      type = "Delete"
    }
  }
}
