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

  # The entries of the access list are resources of their own: those of the functions here, the authorised views in terraform/customers. A change of
  # the dataset itself, a label say, writes back the list as it was when Terraform last read it: an entry that the same apply removes may be there
  # again, and a second apply removes it. So labels change in an apply of their own.
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
