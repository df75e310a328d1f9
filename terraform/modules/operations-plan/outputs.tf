output "burn_alerts" {
  description = "Alerts on burn rates by objective and speed: the windows in seconds, the rate that both must exceed, and the events that the long one must have."
  value       = local.burn_alerts
}

output "filters" {
  description = "Filters of the load balancer's metrics: all of the environment (`balancer`), its requests, and those answered by 5xx (`failed`)."
  value       = { balancer = local.balancer, failed = local.failed, requests = local.requests }
}

output "journeys" {
  description = "The journeys with their titles, each a service of Cloud Monitoring."
  value       = { for id, one in var.objectives.journeys : id => one.title }
}

output "slos" {
  description = "The objectives: the share that is good (`goal`), and how it is measured, by the numbers of a distribution or by a ratio of counts."
  value       = local.slos

  precondition {
    # With a bound at the threshold, the share of numbers up to it is exact.
    condition     = alltrue([for one in values(var.objectives.objectives) : contains(try(var.log_metrics.distributions[one.measure.metric].bounds, [one.measure.most]), one.measure.most) if one.measure.kind == "distribution"])
    error_message = "A distribution has a bucket's bound at the objective's threshold."
  }
}

output "tiles" {
  description = "The dashboard's tiles in order, four to a journey. A line has a filter, or names the objective whose budget it shows."
  value       = local.tiles

  precondition {
    condition     = toset(local.rows[*].id) == toset(keys(var.objectives.journeys))
    error_message = "The dashboard has a row for each journey."
  }
}
