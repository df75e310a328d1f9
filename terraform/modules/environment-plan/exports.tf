# The nightly export of Firestore to another location. The account starts exports, and Firestore writes with its rights:
# https://cloud.google.com/firestore/native/docs/solutions/schedule-export
locals {
  firestore_export = var.firestore_export == null ? null : merge(var.firestore_export, {
    account_id = "firestore-export"
    bucket     = "${var.project_id}-firestore-export"
    database   = var.databases.main
  })
  exporter = "serviceAccount:firestore-export@${var.project_id}.iam.gserviceaccount.com"

  of_exports = {
    nightly_bucket  = local.firestore_export == null ? {} : { exporter = { member = local.exporter, role = "roles/storage.admin" } }
    nightly_project = local.firestore_export == null ? {} : { exporter = { member = local.exporter, role = "roles/datastore.importExportAdmin" } }
  }
}
