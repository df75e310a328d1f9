output "exports" {
  description = "Name of the bucket of customers' exports."
  value       = google_storage_bucket.exports.name
}

output "function_sources" {
  description = "Name of the bucket of the functions' archives."
  value       = google_storage_bucket.function_sources.name
}

output "logs" {
  description = "Name of the bucket for the sink of audit logs."
  value       = google_storage_bucket.logs.name
}
