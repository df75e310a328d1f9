data "google_project" "this" {
  project_id = var.project_id
}

module "load_balancer" {
  source = "../load-balancer"

  blocked_addresses   = var.blocked_addresses
  dns_zone            = var.dns_zone
  endpoints           = { for name, one in module.catalogue.functions : name => module.function[name].service if one.trigger == "http" }
  hosts               = var.hosts
  labels              = local.labels
  otherwise           = module.catalogue.otherwise
  project_id          = var.project_id
  region              = var.region
  requests_per_minute = var.requests_per_minute
  routes              = module.catalogue.routes
}

module "async" {
  source = "../async"

  callers        = module.accounts.callers
  labels         = local.labels
  project_id     = var.project_id
  project_number = data.google_project.this.number
  queue          = var.queue
  queue_region   = var.queue_region
  region         = var.region

  # Workers are called once their grants and the resources that they use exist.
  ready = [module.access.granted, module.firestore.database, module.warehouse.datasets]

  schedules = {
    for name, one in module.catalogue.schedules : name => {
      cron            = one.cron
      every_seconds   = one.every_seconds
      timeout_seconds = one.timeout_seconds
      url             = module.function[name].url
    }
  }
  topic   = local.topic
  workers = { for name, one in module.catalogue.workers : name => { dead_letters = one.dead_letters, topic = one.topic, url = module.function[name].url } }
}
