resource "google_bigquery_dataset" "customer" {
  for_each = module.plan.datasets

  project               = local.environment.delivery_project
  dataset_id            = each.key
  description           = each.value.description
  location              = each.value.location
  max_time_travel_hours = "48" # it holds a view, no rows
  labels                = { customer = each.value.uid }

  # Readers are separate resources. A change of the dataset itself, for example a label, may restore a reader that the same apply removes
  # (modules/warehouse/datasets.tf). So change labels in a separate apply.
  lifecycle {
    ignore_changes = [access]
  }
}

resource "google_bigquery_table" "view" {
  for_each = module.plan.views

  project             = local.environment.delivery_project
  dataset_id          = google_bigquery_dataset.customer[each.value.dataset].dataset_id
  table_id            = each.value.view
  description         = each.value.description
  deletion_protection = false
  labels              = { customer = each.value.uid }

  view {
    query          = each.value.query
    use_legacy_sql = false
  }
}

# The view may read the headcounts; readers of the view may not. BigQuery accepts five changes of a dataset in ten seconds, and the provider
# makes them one by one: a first apply with 1,000 customers spends about half an hour on each of the two datasets.
resource "google_bigquery_dataset_access" "authorised_view" {
  for_each = module.plan.authorised_views

  project    = local.environment.data_project
  dataset_id = each.value

  view {
    project_id = google_bigquery_table.view[each.key].project
    dataset_id = google_bigquery_table.view[each.key].dataset_id
    table_id   = google_bigquery_table.view[each.key].table_id
  }

  # An authorisation is tied to one view: a recreated view needs a new one.
  lifecycle {
    replace_triggered_by = [google_bigquery_table.view[each.key].creation_time]
  }
}

resource "google_bigquery_dataset_access" "reader" {
  for_each = module.plan.dataset_readers

  project       = local.environment.delivery_project
  dataset_id    = google_bigquery_dataset.customer[each.key].dataset_id
  role          = "READER" # roles/bigquery.dataViewer by the name that the API gives back
  user_by_email = google_service_account.customer[each.value].email

  depends_on = [time_sleep.accounts]
}
