output "backend" {
  description = "Id of the backend bucket, to which the load balancer routes the console's path."
  value       = google_compute_backend_bucket.console.id
}
