output "database" {
  description = "Name of the database, known once its rules and indexes are there, so that what calls functions can wait for it."
  value       = google_firestore_database.this.name
  depends_on  = [google_firebaserules_release.this, google_firestore_index.this, google_firestore_field.this]
}
