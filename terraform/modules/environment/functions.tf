module "build" {
  source = "../build"

  account_id = module.plan.account_ids.platform.builds
  labels     = local.labels
  members    = module.plan.members
  project_id = var.project_id
  region     = var.region
}

module "function" {
  source   = "../function"
  for_each = module.plan.functions

  account_id            = each.value.account_id
  commit                = var.commit
  entry                 = each.value.entry
  environment_variables = each.value.environment_variables
  image                 = var.image
  ingress               = each.value.ingress
  invoker               = each.value.invoker
  kind                  = each.value.kind
  labels                = local.labels
  name                  = each.key
  project_id            = var.project_id
  ready                 = module.async.callers
  region                = var.region
  trigger               = each.value.trigger
}
