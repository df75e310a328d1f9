output "accounts" {
  description = "Service accounts by account id: email, member, profile and uid."
  value       = local.accounts
}

output "authorised_views" {
  description = "By view: the dataset of the data project that must let it read."
  value       = { for key, view in local.views : key => view.reads }
}

output "dataset_readers" {
  description = "By personal dataset (scenario B): the account that reads it. None while no key of the customer may."
  value       = local.dataset_readers
}

output "datasets" {
  description = "Customers' datasets in the delivery project by id: location, description, scenario and uid."
  value       = local.datasets
}

output "folders" {
  description = "Managed folders of the exports bucket by uid, each with the one account that reads it."
  value       = local.folders
}

output "listings" {
  description = "Listings of the exchange by the dataset that they share, which gives them their ids too."
  value       = local.listings
}

output "subscribers" {
  description = "Who may subscribe to which listing."
  value       = local.subscribers
}

output "token_minter" {
  description = "The member that may mint tokens of the accounts, and nobody else."
  value       = "serviceAccount:${var.login_service_account}"
}

output "totals" {
  description = "How many there are of what Google limits."
  value       = local.totals
}

output "views" {
  description = "Views by dataset.view, with the query as BigQuery takes it."
  value       = local.views
}

output "warehouse_users" {
  description = "Accounts that may run queries in the delivery project (scenario B)."
  value       = local.warehouse_users
}
