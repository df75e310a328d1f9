output "datasets" {
  description = "Full names of the datasets (projects/…/datasets/…) by their ids."
  value       = { for id, dataset in google_bigquery_dataset.this : id => dataset.id }
}

output "tables" {
  description = "Full names of the tables (projects/…/datasets/…/tables/…) by dataset.table."
  value       = { for name, table in google_bigquery_table.this : name => table.id }
}
