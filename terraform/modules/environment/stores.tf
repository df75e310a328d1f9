module "firestore" {
  source = "../firestore"

  definitions_folder     = "${path.module}/../../../infra"
  is_protected           = var.is_protected
  point_in_time_recovery = var.point_in_time_recovery
  project_id             = var.project_id
  region                 = var.region
}

module "buckets" {
  source = "../buckets"

  is_protected = var.is_protected
  labels       = local.labels
  project_id   = var.project_id
  region       = var.region
}

module "warehouse" {
  source = "../warehouse"

  access = {
    for key, grant in module.roles.grants : key => {
      dataset = grant.name
      email   = module.function[grant.function].email
      role    = grant.role
    } if grant.on == "dataset"
  }
  definitions_file = "${path.module}/../../../infra/generated/tables.json"
  is_protected     = var.is_protected
  labels           = local.labels
  project_id       = var.project_id
  region           = var.region
}

module "access" {
  source = "../access"

  emails        = { for name, one in module.function : name => one.email }
  export_bucket = module.buckets.exports
  grants        = module.roles.grants
  project_id    = var.project_id
  queue         = module.async.queue
  tables        = module.warehouse.tables
  topic         = module.async.topics[local.topic]
}
