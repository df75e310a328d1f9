output "bucket" {
  description = "Name of the bucket of deliveries."
  value       = google_storage_bucket.landing.name
}

output "uploader" {
  description = "Email of the account as which the provider's deliveries are uploaded."
  value       = google_service_account.uploader.email
}
