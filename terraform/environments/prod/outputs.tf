output "environment" {
  description = "The environment's URLs and addresses, and the values that scripts and terraform/customers need."
  value       = module.environment
}
