output "alerts" {
  description = "The alert policies by their runbooks (modules/operations/runbooks). Those of objectives are in `burn_rate_alerts`."
  value = {
    arrivals        = google_monitoring_alert_policy.arrivals.name
    budget          = google_monitoring_alert_policy.query_bytes.name
    dead-letters    = google_monitoring_alert_policy.dead_letters.name
    error-rate      = google_monitoring_alert_policy.error_rate.name
    function-errors = google_monitoring_alert_policy.function_errors.name
    job-age         = google_monitoring_alert_policy.job_age.name
    new-network     = google_monitoring_alert_policy.new_network.name
    probes          = one([for one in google_monitoring_alert_policy.probes : one.name])
    refusals        = google_monitoring_alert_policy.refusals.name
    ticks           = google_monitoring_alert_policy.ticks.name
    uptime          = google_monitoring_alert_policy.uptime.name
  }
}

output "audit_log" {
  description = "Full name of the bucket of the audit log."
  value       = google_logging_project_bucket_config.audit.id
}

output "burn_rate_alerts" {
  description = "The alert policies on error budgets, by objective and speed."
  value       = { for id, one in google_monitoring_alert_policy.burn_rate : id => one.name }
}

output "dashboard" {
  description = "Full name of the dashboard."
  value       = google_monitoring_dashboard.service.id
}

output "dashboard_of_journeys" {
  description = "Full name of the dashboard of user journeys."
  value       = google_monitoring_dashboard.journeys.id
}
