module "firestore" {
  source = "../firestore"

  definitions_folder     = "${path.module}/../../../infra"
  is_protected           = var.is_protected
  point_in_time_recovery = var.point_in_time_recovery
  project_id             = var.project_id
  region                 = var.region
}

# What is noted about requests: last uses of keys, counters. It may be lost, so it has no backups and no old versions.
module "usage" {
  source = "../firestore"

  backup_retention_days  = { daily = 0, weekly = 0 }
  database               = "usage"
  definitions_folder     = "${path.module}/../../../infra"
  indexes                = "firestore.usage.indexes.json"
  is_protected           = var.is_protected
  point_in_time_recovery = false
  project_id             = var.project_id
  region                 = var.region
}

locals {
  # What pages of `cors_origins` may do with exports. The local Cloud Storage reads the same file.
  storage_cors = jsondecode(file("${path.module}/../../../infra/storage-cors.json"))
}

module "buckets" {
  source = "../buckets"

  cors = {
    headers         = local.storage_cors.responseHeader
    max_age_seconds = local.storage_cors.maxAgeSeconds
    methods         = local.storage_cors.method
    origins         = local.cors_origins
  }
  is_protected = var.is_protected
  labels       = local.labels
  names        = module.plan.buckets
  project_id   = var.project_id
  region       = var.region
}

module "warehouse" {
  source = "../warehouse"

  definitions_file = "${path.module}/../../../infra/generated/tables.json"
  is_protected     = var.is_protected
  labels           = local.labels
  loader_id        = module.plan.account_ids.platform.loader
  members          = module.plan.members
  project_id       = var.project_id
  ready            = [for one in module.function : one.email]
  region           = var.region
}

module "access" {
  source = "../access"

  custom_roles  = module.plan.custom_roles
  export_bucket = module.buckets.exports
  members       = module.plan.members
  project_id    = var.project_id
  queue         = module.async.queue
  ready         = concat([for one in module.function : one.email], [module.warehouse.loader])
  tables        = module.warehouse.tables
  topics        = { for what, name in module.plan.published_topics : what => module.async.topics[name] }
}
