output "granted" {
  description = "How many members this adds to policies, by the kind of resource."
  value       = { for kind, grants in local.of : kind => length(grants) }
}
