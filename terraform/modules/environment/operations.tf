data "google_project" "delivery" {
  for_each = toset(concat([var.delivery_project], var.more_delivery_projects))

  project_id = each.value
}

module "operations" {
  source = "../operations"

  alert_emails         = var.alert_emails
  archive_bucket       = module.buckets.logs
  audit_retention_days = var.audit_retention_days
  audited              = module.plan.audited
  budget               = var.budget
  endpoints            = module.plan.endpoints
  environment          = var.environment
  function_emails      = [for one in module.function : one.email]
  functions            = keys(module.plan.functions)
  hosts                = var.hosts
  labels               = local.labels
  log_metrics          = jsondecode(file("${path.module}/../../../infra/generated/log-metrics.json"))
  objectives           = jsondecode(file("${path.module}/../../../infra/generated/objectives.json"))
  probes               = module.probe.jobs
  project_id           = var.project_id
  project_numbers      = concat([data.google_project.this.number], values(data.google_project.delivery)[*].number)
  queue                = module.async.queue.name
  region               = var.region
  subscriptions        = concat(values(module.async.subscriptions), values(module.async.dead_letter_subscriptions))
  thresholds           = var.thresholds
  url_map              = module.load_balancer.url_map
}
