module "catalogue" {
  source = "../catalogue"

  functions     = jsondecode(file("${path.module}/../../../infra/generated/functions.json"))
  min_instances = var.min_instances
  sizing        = var.sizing
  withheld      = var.withheld
}

module "accounts" {
  source = "../accounts"

  called    = concat(keys(module.catalogue.workers), keys(module.catalogue.schedules))
  functions = keys(module.catalogue.functions)
}

module "roles" {
  source = "../roles"

  functions   = keys(module.catalogue.functions)
  permissions = jsondecode(file("${path.module}/../../../infra/generated/permissions.json"))
}

locals {
  account_ids = concat(values(module.accounts.functions), values(module.accounts.callers), values(module.accounts.platform))
  emails      = { for id in local.account_ids : id => "${id}@${var.project_id}.iam.gserviceaccount.com" }
  callers     = { for name, id in module.accounts.callers : name => local.emails[id] }

  # Functions whose queries somebody waits for.
  interactive = toset([for key, grant in module.roles.grants : grant.function if grant.on == "reservation"])

  # Who may call a function, and from where. Anyone may call an endpoint, because it authenticates by key: without Cloud Run's check (no invoker), or with
  # allUsers as its invoker, as the organisation allows (`endpoint_access`). A worker or a scheduled function has one caller, an account that may call
  # nothing else, and answers only to calls from inside Google.
  functions = {
    for name, one in module.catalogue.functions : name => {
      account_id            = module.accounts.functions[name]
      entry                 = one.entry
      environment_variables = merge(local.environment_variables, contains(local.interactive, name) ? local.interactive_variables : {})
      ingress               = one.trigger == "http" ? var.ingress : "INGRESS_TRAFFIC_INTERNAL_ONLY"
      invoker               = one.trigger != "http" ? "serviceAccount:${local.callers[name]}" : var.endpoint_access == "ALL_USERS" ? "allUsers" : null
      kind = {
        name            = one.kind
        concurrency     = one.concurrency
        cpu             = one.cpu
        instances       = one.instances
        memory          = one.memory
        min_instances   = one.min_instances
        timeout_seconds = one.timeout_seconds
      }
      trigger = one.trigger
    }
  }
}
