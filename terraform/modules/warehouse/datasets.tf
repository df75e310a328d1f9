locals {
  definitions = jsondecode(file(var.definitions_file))

  # Raw counts. What has expired or was deleted can be restored for the shortest time that BigQuery allows. Its fail-safe of seven days after that cannot be
  # shortened; only Google restores from it (https://cloud.google.com/bigquery/docs/time-travel#fail-safe).
  raw                        = ["intake", "staging"]
  shortest_time_travel_hours = 48
}

resource "google_bigquery_dataset" "this" {
  for_each = local.definitions.datasets

  project                     = var.project_id
  dataset_id                  = each.key
  description                 = each.value.description
  location                    = lower(each.value.location) == "eu" ? "EU" : var.region
  default_table_expiration_ms = each.value.default_table_expiration_ms
  max_time_travel_hours       = tostring(contains(local.raw, each.key) ? local.shortest_time_travel_hours : var.time_travel_hours)
  delete_contents_on_destroy  = !var.is_protected
  labels                      = merge(var.labels, { dataset = each.key })

  # The key of tables that are created from now on.
  dynamic "default_encryption_configuration" {
    for_each = var.kms_keys == null ? [] : [lower(each.value.location) == "eu" ? var.kms_keys.eu : var.kms_keys.region]
    content {
      kms_key_name = default_encryption_configuration.value
    }
  }

  # Without this list, BigQuery gives a new dataset to the project's editors and viewers too.
  dynamic "access" {
    for_each = contains(local.raw, each.key) ? ["projectOwners"] : []
    content {
      role          = "OWNER"
      special_group = access.value
    }
  }

  # The other entries of the access list are separate resources: the functions' entries here, the authorised views in terraform/customers. A change of the
  # dataset itself, for example a label, writes back the list as Terraform last read it. An entry that the same apply removes may reappear, until a
  # second apply removes it. So change labels in a separate apply.
  lifecycle {
    ignore_changes = [access]
  }
}

resource "google_bigquery_dataset_access" "this" {
  for_each = var.members.dataset

  project       = var.project_id
  dataset_id    = google_bigquery_dataset.this[each.value.name].dataset_id
  role          = each.value.role
  user_by_email = each.value.email

  depends_on = [google_service_account.loader, var.ready]
}
