output "account_ids" {
  description = "Ids of the service accounts that are not functions': of the caller of each worker and each scheduled function, and of `builds`, `loader`, `probe`, `probe_caller`, `queue` and `uploader`."
  value       = { callers = module.accounts.callers, platform = module.accounts.platform }
}

output "audited" {
  description = "Kinds of data access entries in the audit log, by service. The functions' own entries are not logged."
  value       = local.audited
}

output "buckets" {
  description = "Names of the buckets, by purpose."
  value       = local.buckets
}

output "ci" {
  description = "How workflows sign in: the pool, the condition on their tokens, the ids of the accounts that plan and apply, and the role of the one that plans. Null without a repository."
  value       = local.ci
}

output "custom_roles" {
  description = "Custom roles of the functions' grants, with their permissions and their project."
  value       = local.custom_roles
}

output "endpoints" {
  description = "Names of the functions behind the load balancer."
  value       = toset([for name, one in local.functions : name if one.trigger == "http"])
}

output "environment_variables" {
  description = "Environment variables that all functions have. `functions` has those of each."
  value       = local.environment_variables

  precondition {
    condition     = toset(concat(keys(local.service_variables), ["INTERACTIVE_RESERVATION"])) == toset(keys(var.patterns))
    error_message = "The functions read other variables than these: ${join(", ", setunion(setsubtract(keys(var.patterns), concat(keys(local.service_variables), ["INTERACTIVE_RESERVATION"])), setsubtract(keys(local.service_variables), keys(var.patterns))))}."
  }
  precondition {
    condition     = alltrue([for name, value in merge(local.service_variables, local.interactive_variables) : value == "" || try(var.patterns[name], null) == null || can(regex(var.patterns[name], value))])
    error_message = "The functions would refuse a variable's value: their patterns are in infra/generated/environment-variables.json."
  }
}

output "firestore_export" {
  description = "The nightly export of Firestore: its account's id, its bucket, where that is and for how long exports are kept. Null without one."
  value       = local.firestore_export
}

output "functions" {
  description = "Functions by name: account id, source file, environment variables, ingress, the one member that may call it (null: Cloud Run does not check), how it runs (`kind`), and what triggers it."
  value       = local.functions
}

output "members" {
  description = "Members of policies, each with one role, by the kind of resource and a key. `name` is the dataset, or dataset.table."
  value       = local.members
}

output "otherwise" {
  description = "For each API the function that answers requests which no route matches."
  value       = module.catalogue.otherwise
}

output "probe" {
  description = "The probes: their jobs by name (arguments, cron expression, region), the accounts as which they run (`runner`) and are started (`caller`), and the secret with their key."
  value       = local.probe
}

output "queue" {
  description = "The task queue: its name, its region, and the id and the email of the account as which its tasks publish."
  value       = local.queue
}

output "routes" {
  description = "For each API its route rules: the output of modules/catalogue."
  value       = module.catalogue.routes
}

output "schedules" {
  description = "Scheduled functions by name: cron expression, period, timeout, and the email of the account that calls."
  value       = local.schedules
}

output "published_topics" {
  description = "The topics that functions publish to, by what they publish: jobs, and maps to measure."
  value       = local.published_topics
}

output "landings_topic" {
  description = "The topic that the landing bucket notifies of its objects."
  value       = local.landings_topic
}

output "topic" {
  description = "The topic that the queue's tasks publish to."
  value       = local.topic
}

output "topics" {
  description = "Names of the topics with a worker (`of_workers`) and of those that take dead letters (`of_dead_letters`); one topic may be both."
  value       = local.topics
}

output "totals" {
  description = "Counts of what Google limits."
  value       = local.totals
}

output "workers" {
  description = "Functions that a topic calls, by name: the topic, when a failing message goes to which dead-letter topic, and the email of the account that calls."
  value       = local.workers
}
