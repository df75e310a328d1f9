output "callers" {
  description = "For each worker and each function of the schedule the id of the one service account that may call it."
  value       = local.ids.callers
}

output "functions" {
  description = "For each function the id of its own service account."
  value       = local.ids.functions

  precondition {
    condition     = length(distinct(flatten([for ids in values(local.ids) : values(ids)]))) == length(var.functions) + length(var.called)
    error_message = "Two service accounts would have the same id: rename a function."
  }
}
