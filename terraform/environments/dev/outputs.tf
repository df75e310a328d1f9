output "environment" {
  description = "What the environment is: its URLs and addresses, and what scripts and terraform/customers need to know of it."
  value       = module.environment
}
