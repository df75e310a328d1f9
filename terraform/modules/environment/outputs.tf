output "addresses" {
  description = "Addresses for the hosts' A and AAAA records, if `dns_zone` is not set."
  value       = module.load_balancer.addresses
}

output "alerts" {
  description = "The alert policies by their runbooks (modules/operations/runbooks)."
  value       = module.operations.alerts
}

output "burn_rate_alerts" {
  description = "The alert policies on error budgets, by objective and speed."
  value       = module.operations.burn_rate_alerts
}

output "base_urls" {
  description = "The base URLs of the two APIs."
  value       = module.load_balancer.base_urls
}

output "candidate_base_urls" {
  description = "The base URLs under which a release is tested before it gets traffic. Null without `candidate_hosts`."
  value       = module.load_balancer.candidate_base_urls
}

output "ci" {
  description = "What a workflow signs in with. Null without `ci`."
  value       = one(module.ci[*].sign_in)
}

output "dashboard" {
  description = "Full name of the dashboard."
  value       = module.operations.dashboard
}

output "dashboard_of_journeys" {
  description = "Full name of the dashboard of user journeys."
  value       = module.operations.dashboard_of_journeys
}

output "dead_letter_subscriptions" {
  description = "Subscriptions from which operators pull dead letters, by topic: those of topics without a function."
  value       = module.async.dead_letter_subscriptions
}

output "deployment" {
  description = "What `scripts/deploy` builds with: the image's name without tag or digest, the account that builds it, and where its files go."
  value       = merge(module.build.build, { sources = "gs://${module.buckets.function_sources}/image" })
}

output "export_bucket" {
  description = "Name of the bucket of customers' exports."
  value       = module.buckets.exports
}

output "function_urls" {
  description = "The functions' own URLs. Those of endpoints can be called if ingress is INGRESS_TRAFFIC_ALL."
  value       = { for name, one in module.function : name => one.url }
}

output "landing_bucket" {
  description = "Name of the bucket in which the provider's data arrives."
  value       = module.landing.bucket
}

output "uploader_service_account" {
  description = "Email of the account as which the provider's data is uploaded. The members of `uploaders` impersonate it."
  value       = module.landing.uploader
}

output "loader_service_account" {
  description = "Email of the account as which the provider's data is loaded. The members of `loaders` impersonate it."
  value       = module.warehouse.loader
}

output "login_service_account" {
  description = "Email of the account that mints customers' tokens: the variable of that name of terraform/customers."
  value       = module.function["auth-login"].email
}

output "queue" {
  description = "Name and region of the task queue."
  value       = { name = module.async.queue.name, region = module.async.queue.region }
}

output "signer_service_account" {
  description = "Email of the account that signs URLs of customers' files: the variable of that name of terraform/customers. Null where that function is withheld."
  value       = try(module.function["aggregation-urls"].email, null)
}
