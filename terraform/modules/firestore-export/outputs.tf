output "bucket" {
  description = "Name of the bucket with the exports, one folder a night."
  value       = google_storage_bucket.export.name
}
