resource "google_bigquery_table" "this" {
  for_each = local.definitions.tables

  project                  = var.project_id
  dataset_id               = google_bigquery_dataset.this[each.value.dataset].dataset_id
  table_id                 = each.value.table
  description              = each.value.description
  schema                   = jsonencode(each.value.schema)
  clustering               = length(each.value.clustering) > 0 ? each.value.clustering : null
  require_partition_filter = each.value.require_partition_filter
  deletion_protection      = var.is_protected
  labels                   = merge(var.labels, { dataset = each.value.dataset })

  dynamic "time_partitioning" {
    for_each = each.value.partition == null ? [] : [each.value.partition]
    content {
      type          = time_partitioning.value.type
      field         = time_partitioning.value.field
      expiration_ms = time_partitioning.value.expiration_ms
    }
  }

  # A new environment gets its tables whole. After that, migrations add columns (infra/warehouse/migrations), and a rollback drops none.
  lifecycle {
    ignore_changes = [schema]
  }
}
