output "quotas" {
  description = "Google's quotas and limits: what is counted, the limit, whether it can be raised, its source, the count by number of customers, and what to do when."
  value       = local.quotas
}
