locals {
  definitions = jsondecode(file(var.definitions_file))
}

resource "google_bigquery_dataset" "this" {
  for_each = local.definitions.datasets

  project                     = var.project_id
  dataset_id                  = each.key
  description                 = each.value.description
  location                    = lower(each.value.location) == "eu" ? "EU" : var.region
  default_table_expiration_ms = each.value.default_table_expiration_ms
  max_time_travel_hours       = tostring(var.time_travel_hours)
  delete_contents_on_destroy  = !var.is_protected
  labels                      = merge(var.labels, { dataset = each.key })

  # The entries of the access list are resources of their own: those of the functions here, the authorised views in terraform/customers.
  lifecycle {
    ignore_changes = [access]
  }
}

resource "google_bigquery_dataset_access" "this" {
  for_each = var.access

  project       = var.project_id
  dataset_id    = google_bigquery_dataset.this[each.value.dataset].dataset_id
  role          = each.value.role
  user_by_email = each.value.email
}
