module "catalogue" {
  source = "../catalogue"

  functions = jsondecode(file("${path.module}/../../../infra/generated/functions.json"))
  sizing    = var.sizing
  withheld  = var.withheld
}

module "accounts" {
  source = "../accounts"

  called    = concat(keys(module.catalogue.workers), keys(module.catalogue.schedules))
  functions = keys(module.catalogue.functions)
}

module "roles" {
  source = "../roles"

  functions = keys(module.catalogue.functions)
}

module "build" {
  source = "../build"

  labels     = local.labels
  project_id = var.project_id
  region     = var.region
}

module "function" {
  source   = "../function"
  for_each = module.catalogue.functions

  account_id            = module.accounts.functions[each.key]
  build                 = module.build.build
  bundle                = "${var.bundles_folder}/${each.key}.zip"
  entry                 = each.value.entry
  environment_variables = local.environment_variables
  ingress               = each.value.trigger == "http" ? var.ingress : "ALLOW_INTERNAL_ONLY"
  invoker               = each.value.trigger == "http" ? "allUsers" : module.async.callers[each.key]
  kind = {
    name            = each.value.kind
    concurrency     = each.value.concurrency
    cpu             = each.value.cpu
    instances       = each.value.instances
    memory          = each.value.memory
    timeout_seconds = each.value.timeout_seconds
  }
  labels        = local.labels
  name          = each.key
  project_id    = var.project_id
  region        = var.region
  source_bucket = module.buckets.function_sources
}

locals {
  labels = merge({ service = "populus", environment = var.environment }, var.labels)

  # The variables that `shared/runtime/config.ts` reads, the same for every function. Addresses are left out: the clients know Google's.
  environment_variables = merge(local.cors_origins, {
    ACCOUNTS_PROJECT      = var.delivery_project
    BYTES_BILLED_MAX      = tostring(var.bytes_billed_max)
    ENVIRONMENT           = var.environment
    EXPORT_BUCKET         = module.buckets.exports
    GOOGLE_CLOUD_PROJECT  = var.project_id
    QUERY_PRICE_CURRENCY  = var.query_price.currency
    QUERY_PRICE_PER_TIB   = tostring(var.query_price.per_tib)
    QUEUE                 = module.async.queue_name
    QUEUE_REGION          = var.queue_region
    QUEUE_SERVICE_ACCOUNT = module.async.queue_account_email
    RATE_BURST            = tostring(var.rate.burst)
    RATE_PER_SECOND       = tostring(var.rate.per_second)
    REGION                = var.region
    TICK_SECONDS          = tostring(module.catalogue.schedules["realtime-refresh"].every_seconds)
    TOPIC                 = local.topic
  })
  cors_origins = length(var.cors_origins) == 0 ? {} : { CORS_ORIGINS = join(",", sort(var.cors_origins)) }
  topic        = module.catalogue.workers["aggregation-run"].topic
}
