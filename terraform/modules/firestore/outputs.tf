output "database" {
  description = "Name of the database. Known once its rules and indexes exist, so that callers of functions can wait for it."
  value       = google_firestore_database.this.name
  depends_on  = [google_firebaserules_release.this, google_firestore_index.this, google_firestore_field.this]
}
