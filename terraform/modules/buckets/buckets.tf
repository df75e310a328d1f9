# Customers' exports: one managed folder per customer (terraform/customers), which needs uniform access. The namespace stays flat: nothing renames
# folders, and managed folders work without a hierarchical namespace.
resource "google_storage_bucket" "exports" {
  project                     = var.project_id
  name                        = var.names.exports
  location                    = var.region
  storage_class               = "STANDARD"
  uniform_bucket_level_access = true
  public_access_prevention    = "enforced"
  force_destroy               = !var.is_protected
  labels                      = merge(var.labels, { purpose = "exports" })

  dynamic "encryption" {
    for_each = var.kms_key == null ? [] : [var.kms_key]
    content {
      default_kms_key_name = encryption.value
    }
  }

  # Without origins no web page reads exports. Not requester-pays: a token has no project to bill.
  dynamic "cors" {
    for_each = length(var.cors.origins) > 0 ? [var.cors] : []
    content {
      origin          = sort(cors.value.origins)
      method          = cors.value.methods
      response_header = cors.value.headers
      max_age_seconds = cors.value.max_age_seconds
    }
  }

  versioning {
    enabled = false
  }

  # No soft delete: a customer's deletion must not leave files for a week, and a lost export can be computed again.
  soft_delete_policy {
    retention_duration_seconds = 0
  }

  # The sweeper expires a job, then removes its files. This rule only catches what it missed. It waits two days longer, because files are written before
  # the job finishes: a job that is still completed must not lose files.
  lifecycle_rule {
    condition {
      age            = var.result_retention_days + 2
      matches_prefix = ["results/"]
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

# The functions' archives, named by their content. Terraform removes unused ones; soft delete keeps them for a week.
resource "google_storage_bucket" "function_sources" {
  project                     = var.project_id
  name                        = var.names.function_sources
  location                    = var.region
  storage_class               = "STANDARD"
  uniform_bucket_level_access = true
  public_access_prevention    = "enforced"
  force_destroy               = !var.is_protected
  labels                      = merge(var.labels, { purpose = "function-sources" })

  dynamic "encryption" {
    for_each = var.kms_key == null ? [] : [var.kms_key]
    content {
      default_kms_key_name = encryption.value
    }
  }

  versioning {
    enabled = false
  }

  soft_delete_policy {
    retention_duration_seconds = 604800
  }
}

# For the audit log sink, which includes downloads from the exports bucket. Usage logs would only say the same later.
resource "google_storage_bucket" "logs" {
  project                     = var.project_id
  name                        = var.names.logs
  location                    = var.region
  storage_class               = "STANDARD"
  uniform_bucket_level_access = true
  public_access_prevention    = "enforced"
  force_destroy               = !var.is_protected
  labels                      = merge(var.labels, { purpose = "logs" })

  dynamic "encryption" {
    for_each = var.kms_key == null ? [] : [var.kms_key]
    content {
      default_kms_key_name = encryption.value
    }
  }

  versioning {
    enabled = false
  }

  soft_delete_policy {
    retention_duration_seconds = 604800
  }

  # Nobody can change or remove a log before its retention ends. Not locked: a lock would also make the owner's mistakes permanent.
  dynamic "retention_policy" {
    for_each = var.is_protected ? [var.log_retention_days] : []
    content {
      retention_period = retention_policy.value * 86400
    }
  }

  lifecycle_rule {
    condition {
      age = 30
    }
    action {
      type          = "SetStorageClass"
      storage_class = "COLDLINE"
    }
  }

  lifecycle_rule {
    condition {
      age = var.log_retention_days + 1
    }
    action {
      type = "Delete"
    }
  }
}
