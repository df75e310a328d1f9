resource "google_firestore_database" "this" {
  project                           = var.project_id
  name                              = var.database
  location_id                       = var.location
  type                              = "FIRESTORE_NATIVE"
  concurrency_mode                  = "PESSIMISTIC" # as the emulator's, so that contention is met in tests first
  app_engine_integration_mode       = "DISABLED"
  point_in_time_recovery_enablement = var.point_in_time_recovery ? "POINT_IN_TIME_RECOVERY_ENABLED" : "POINT_IN_TIME_RECOVERY_DISABLED"
  delete_protection_state           = var.is_protected ? "DELETE_PROTECTION_ENABLED" : "DELETE_PROTECTION_DISABLED"
  deletion_policy                   = var.is_protected ? "ABANDON" : "DELETE"

  # Chosen at creation: a database never changes its key or its location. Another key means a clone into a database of another name.
  dynamic "cmek_config" {
    for_each = var.kms_key == null ? [] : [var.kms_key]
    content {
      kms_key_name = cmek_config.value
    }
  }
}

resource "google_firestore_backup_schedule" "this" {
  for_each = {
    for recurrence, days in var.backup_retention_days : recurrence => days if days > 0
  }

  project   = var.project_id
  database  = google_firestore_database.this.name
  retention = "${each.value * 86400}s"

  dynamic "daily_recurrence" {
    for_each = each.key == "daily" ? [1] : []
    content {}
  }

  dynamic "weekly_recurrence" {
    for_each = each.key == "weekly" ? ["SUNDAY"] : []
    content {
      day = weekly_recurrence.value
    }
  }
}
