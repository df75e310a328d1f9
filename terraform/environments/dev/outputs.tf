output "environment" {
  description = "The environment's URLs and addresses, and the values that scripts and terraform/customers need."
  value       = module.environment
}

output "deployment" {
  description = "What `scripts/deploy` builds with. It is known before the services are, so it is an output of its own."
  value       = module.environment.deployment
}
