module "ci" {
  source = "../ci"
  count  = var.ci == null ? 0 : 1

  ci         = module.plan.ci
  members    = module.plan.members
  project_id = var.project_id
  repository = var.ci.repository
}
