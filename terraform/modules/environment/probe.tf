module "probe" {
  source = "../probe"

  image        = var.image
  labels       = local.labels
  members      = module.plan.members
  probe        = module.plan.probe
  project_id   = var.project_id
  queue_region = module.plan.queue.region
}
