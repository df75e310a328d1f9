resource "google_bigquery_dataset" "customer" {
  for_each = module.plan.datasets

  project               = each.value.project
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

# A table of the customer's own in the data project, which the functions load and `npm run admin -- customers activate` fills. Deleting the customer drops it.
resource "google_bigquery_table" "headcounts" {
  for_each = module.plan.tables

  project             = local.environment.data_project
  dataset_id          = each.value.dataset
  table_id            = each.value.table
  description         = each.value.description
  schema              = each.value.schema
  clustering          = each.value.clustering
  deletion_protection = false
  labels              = { customer = each.value.uid }

  time_partitioning {
    type          = each.value.type
    field         = each.value.field
    expiration_ms = each.value.expiration_ms
  }
}

resource "google_bigquery_table" "view" {
  for_each = module.plan.views

  project             = google_bigquery_dataset.customer[each.value.dataset].project
  dataset_id          = google_bigquery_dataset.customer[each.value.dataset].dataset_id
  table_id            = each.value.view
  description         = each.value.description
  deletion_protection = false
  labels              = { customer = each.value.uid }

  view {
    query          = each.value.query
    use_legacy_sql = false
  }

  # BigQuery refuses a view of a table that is not there.
  depends_on = [google_bigquery_table.headcounts]
}

# The view may read the tables of a dataset that holds nothing but customers' own tables, of which it reads one; readers of the view may not. BigQuery accepts five changes of a dataset in ten seconds, and the provider
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

  project       = google_bigquery_dataset.customer[each.key].project
  dataset_id    = google_bigquery_dataset.customer[each.key].dataset_id
  role          = "READER" # roles/bigquery.dataViewer by the name that the API gives back
  user_by_email = google_service_account.customer[each.value].email

  depends_on = [time_sleep.accounts]
}
