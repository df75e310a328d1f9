output "callers" {
  description = "Id of the one service account that may call each worker and each scheduled function."
  value       = local.ids.callers
}

output "functions" {
  description = "Id of each function's own service account."
  value       = local.ids.functions

  precondition {
    condition     = length(distinct(flatten([for ids in values(local.ids) : values(ids)]))) == length(var.functions) + length(var.called)
    error_message = "Two service accounts would have the same id: rename a function."
  }
}
