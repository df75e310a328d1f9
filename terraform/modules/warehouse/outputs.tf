output "datasets" {
  description = "Full names of the datasets (projects/…/datasets/…) by their ids, known once the functions have access to them."
  value       = { for id, dataset in google_bigquery_dataset.this : id => dataset.id }
  depends_on  = [google_bigquery_dataset_access.this]
}

output "loader" {
  description = "Email of the account as which the provider's data is loaded."
  value       = google_service_account.loader.email
}

output "tables" {
  description = "Full names of the tables (projects/…/datasets/…/tables/…) by dataset.table."
  value       = { for name, table in google_bigquery_table.this : name => table.id }
}
