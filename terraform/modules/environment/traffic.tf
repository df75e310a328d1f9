module "console" {
  source = "../console"

  base_map      = var.console_base_map
  base_urls     = { for api, host in var.hosts : api => "https://${host}" }
  bucket        = module.plan.buckets.console
  export_bucket = module.plan.buckets.exports
  files_folder  = "${var.bundles_folder}/console"
  headers_file  = "${path.module}/../../../infra/console-headers.json"
  is_protected  = var.is_protected
  labels        = local.labels
  project_id    = var.project_id
  region        = var.region
}

module "load_balancer" {
  source = "../load-balancer"

  blocked_addresses   = var.blocked_addresses
  candidate_hosts     = var.candidate_hosts
  console_backend     = module.console.backend
  dns_zone            = var.dns_zone
  endpoints           = { for name in module.plan.endpoints : name => module.function[name].service }
  hosts               = var.hosts
  labels              = local.labels
  otherwise           = module.plan.otherwise
  project_id          = var.project_id
  region              = var.region
  requests_per_minute = var.requests_per_minute
  routes              = module.plan.routes
}

module "async" {
  source = "../async"

  callers      = module.plan.account_ids.callers
  labels       = local.labels
  members      = module.plan.members
  project_id   = var.project_id
  queue        = merge(var.queue, module.plan.queue)
  queue_region = module.plan.queue.region
  region       = var.region
  topics       = module.plan.topics

  # Workers are called once their grants and the resources that they use exist.
  ready = [module.access.granted, [for one in module.firestore : one.database], [for one in module.usage : one.database], module.warehouse.datasets]

  schedules = { for name, one in module.plan.schedules : name => merge(one, { url = module.function[name].url }) }
  workers   = { for name, one in module.plan.workers : name => merge(one, { url = module.function[name].url }) }
}
