locals {
  names = {
    for purpose, name in var.names : purpose => coalesce(name, "${var.project_id}-${replace(purpose, "_", "-")}")
  }
}

# Customers' exports: a managed folder each (terraform/customers), which needs uniform access. The namespace stays flat: nothing renames
# folders, and managed folders work without a hierarchical one.
resource "google_storage_bucket" "exports" {
  project                     = var.project_id
  name                        = local.names.exports
  location                    = var.region
  storage_class               = "STANDARD"
  uniform_bucket_level_access = true
  public_access_prevention    = "enforced"
  force_destroy               = !var.is_protected
  labels                      = merge(var.labels, { purpose = "exports" })

  # No cors block: no page of ours reads exports, and a token is no cookie. Not requester-pays: a token has no project to bill.
  versioning {
    enabled = false
  }

  # What is deleted is gone: a customer's deletion must not leave files for a week, and a lost export is computed again.
  soft_delete_policy {
    retention_duration_seconds = 0
  }

  # The sweeper expires a job, then removes its files; this only catches what it missed. Two days more, since files are written before the
  # job is done: nothing may vanish from a job that still says completed.
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

# The functions' archives, named by their content. Terraform removes one that no function uses; soft delete gives a week to change one's mind.
resource "google_storage_bucket" "function_sources" {
  project                     = var.project_id
  name                        = local.names.function_sources
  location                    = var.region
  storage_class               = "STANDARD"
  uniform_bucket_level_access = true
  public_access_prevention    = "enforced"
  force_destroy               = !var.is_protected
  labels                      = merge(var.labels, { purpose = "function-sources" })

  versioning {
    enabled = false
  }

  soft_delete_policy {
    retention_duration_seconds = 604800
  }
}

# For the sink of audit logs, downloads from the exports bucket among them; its usage logs would only say the same later.
resource "google_storage_bucket" "logs" {
  project                     = var.project_id
  name                        = local.names.logs
  location                    = var.region
  storage_class               = "STANDARD"
  uniform_bucket_level_access = true
  public_access_prevention    = "enforced"
  force_destroy               = !var.is_protected
  labels                      = merge(var.labels, { purpose = "logs" })

  versioning {
    enabled = false
  }

  soft_delete_policy {
    retention_duration_seconds = 604800
  }

  # Nobody changes or removes a log before its time. Not locked: a lock outlives the project's owner's mistakes too.
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
