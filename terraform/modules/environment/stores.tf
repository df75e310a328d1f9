module "keys" {
  source = "../keys"

  members = module.plan.members
}

module "firestore" {
  source   = "../firestore"
  for_each = setunion([var.databases.main], var.databases.kept)

  database               = each.key
  definitions_folder     = "${path.module}/../../../infra"
  is_protected           = var.is_protected
  kms_key                = local.firestore_key
  location               = local.firestore_location
  point_in_time_recovery = var.point_in_time_recovery
  project_id             = var.project_id

  depends_on = [module.keys]
}

moved {
  from = module.firestore
  to   = module.firestore["(default)"]
}

# What is noted about requests: last uses of keys, counters. It may be lost, so it has no backups and no old versions.
module "usage" {
  source   = "../firestore"
  for_each = toset([var.databases.usage])

  backup_retention_days  = { daily = 0, weekly = 0 }
  database               = each.key
  definitions_folder     = "${path.module}/../../../infra"
  indexes                = "firestore.usage.indexes.json"
  is_protected           = var.is_protected
  kms_key                = local.firestore_key
  location               = local.firestore_location
  point_in_time_recovery = false
  project_id             = var.project_id

  depends_on = [module.keys]
}

moved {
  from = module.usage
  to   = module.usage["usage"]
}

module "firestore_export" {
  source = "../firestore-export"
  count  = module.plan.firestore_export == null ? 0 : 1

  export          = module.plan.firestore_export
  is_protected    = var.is_protected
  labels          = local.labels
  members         = module.plan.members
  project_id      = var.project_id
  schedule_region = var.queue_region

  depends_on = [module.firestore, module.keys]
}

locals {
  firestore_location = coalesce(var.firestore_location, var.region)
  firestore_key      = try(local.firestore_location == var.region ? var.kms_keys.region : var.kms_keys.europe, null)

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
  kms_key      = try(var.kms_keys.region, null)
  names        = module.plan.buckets
  project_id   = var.project_id
  region       = var.region

  depends_on = [module.keys]
}

module "landing" {
  source = "../landing"

  is_protected = var.is_protected
  kms_key      = try(var.kms_keys.region, null)
  labels       = local.labels
  members      = module.plan.members
  name         = module.plan.buckets.landing
  project_id   = var.project_id
  ready        = concat([for one in module.function : one.email], [module.warehouse.loader])
  region       = var.region
  topic        = "projects/${var.project_id}/topics/${module.async.topics[module.plan.landings_topic]}"
  uploader_id  = module.plan.account_ids.platform.uploader

  depends_on = [module.keys]
}

module "warehouse" {
  source = "../warehouse"

  definitions_file = "${path.module}/../../../infra/generated/tables.json"
  is_protected     = var.is_protected
  kms_keys         = try({ eu = var.kms_keys.europe, region = var.kms_keys.region }, null)
  labels           = local.labels
  loader_id        = module.plan.account_ids.platform.loader
  members          = module.plan.members
  project_id       = var.project_id
  ready            = [for one in module.function : one.email]
  region           = var.region

  depends_on = [module.keys]
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
