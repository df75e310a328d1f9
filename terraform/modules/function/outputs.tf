output "email" {
  description = "Email of the function's own service account. Known once the service runs: by then the account exists for BigQuery and for every policy."
  value       = google_service_account.function.email
  depends_on  = [google_cloud_run_v2_service.function]
}

output "service" {
  description = "Name of the Cloud Run service that runs the function."
  value       = google_cloud_run_v2_service.function.name
}

output "url" {
  description = "The function's own URL: the audience of its callers' tokens; internal calls to it stay within Google. Known once its invoker may call it."
  value       = google_cloud_run_v2_service.function.uri
  depends_on  = [google_cloud_run_v2_service_iam_binding.invoker]
}
