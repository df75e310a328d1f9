output "accounts" {
  description = "Service accounts by account id: email, member, profile, project and uid."
  value       = local.accounts
}

output "authorised_views" {
  description = "By view: the dataset of the data project that must authorise it."
  value       = { for key, view in local.views : key => view.reads }
}

output "custom_roles" {
  description = "The roles that mint tokens of the accounts (`token_minter`), sign URLs as them (`url_signer`), and run queries (`warehouse_user`): id, title, description and permissions."
  value       = local.custom_roles
}

output "dataset_readers" {
  description = "By personal dataset (scenario B): the account that reads it. None while no key of the customer is allowed to."
  value       = local.dataset_readers
}

output "datasets" {
  description = "Customers' datasets in the delivery projects by id: location, description, project, scenario and uid."
  value       = local.datasets
}

output "folders" {
  description = "Managed folders of the exports bucket by uid, each with the one account that reads it."
  value       = local.folders
}

output "listings" {
  description = "Listings of the exchange by the dataset that they share, whose id is also theirs."
  value       = local.listings
}

output "load_jobs" {
  description = "Load jobs that customers' tables take a day, if every customer with a table monitors maps."
  value       = local.load_jobs
}

output "load_minutes" {
  description = "Every how many minutes the functions load a customer's table: 5, until the tables are too many for the load jobs of a day."
  value       = local.load_ticks * 5
}

output "signing_accounts" {
  description = "Account ids of the accounts as which URLs are signed."
  value       = local.signing_accounts
}

output "subscribers" {
  description = "Who may subscribe to which listing."
  value       = local.subscribers
}

output "tables" {
  description = "Customers' own tables in the data project by dataset.table, each read by one view: columns, partitions and uid."
  value       = local.tables
}

output "token_minter" {
  description = "The only member that may mint tokens of the accounts."
  value       = "serviceAccount:${var.login_service_account}"
}

output "totals" {
  description = "Counts of the resources that Google limits; of the fullest delivery project where each has its own limit."
  value       = local.totals
}

output "url_signer" {
  description = "The only member that may sign as the signing accounts."
  value       = "serviceAccount:${var.signer_service_account}"
}

output "views" {
  description = "Views by dataset.view, with their BigQuery query."
  value       = local.views
}

output "warehouse_users" {
  description = "Accounts that may run queries in their delivery project (scenario B)."
  value       = local.warehouse_users
}
