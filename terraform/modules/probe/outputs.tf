output "jobs" {
  description = "Names of the jobs that try a customer's journey, by region."
  value       = { for name, one in var.probe.jobs : one.region => google_cloud_run_v2_job.probe[name].name if startswith(name, "probe-journey-") }
}
