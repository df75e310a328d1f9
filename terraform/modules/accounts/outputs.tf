output "callers" {
  description = "Id of the one service account that may call each worker and each scheduled function."
  value       = local.ids.callers
}

output "functions" {
  description = "Id of each function's own service account."
  value       = local.ids.functions

  precondition {
    condition     = length(distinct(flatten([for ids in concat(values(local.ids), [local.platform_ids]) : values(ids)]))) == length(var.functions) + length(var.called) + length(local.platform_ids)
    error_message = "Two service accounts would have the same id: rename a function."
  }
}

output "platform" {
  description = "Id of the account that builds functions (`builds`), of the one as which the provider's loads run (`loader`), of those as which probes run (`probe`) and are started (`probe_caller`), of the one as which the queue's tasks publish (`queue`), and of the one as which deliveries are uploaded (`uploader`)."
  value       = local.platform_ids

  precondition {
    condition     = alltrue([for id in values(local.platform_ids) : can(regex("^[a-z][a-z0-9-]{4,28}[a-z0-9]$", id))])
    error_message = "The id of a service account is 6 to 30 lower-case letters, digits and dashes."
  }
}
