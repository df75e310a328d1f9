locals {
  definitions = jsondecode(file("${var.definitions_folder}/${var.indexes}"))

  # Keys describe the index, so that adding one never moves another.
  indexes = {
    for index in local.definitions.indexes :
    join(" ", concat([index.collectionGroup], [for field in index.fields : "${field.fieldPath}:${try(field.order, field.arrayConfig)}"])) => index
  }
  fields = {
    for field in local.definitions.fieldOverrides : "${field.collectionGroup} ${field.fieldPath}" => field
  }
}

resource "google_firestore_index" "this" {
  for_each = local.indexes

  project     = var.project_id
  database    = google_firestore_database.this.name
  collection  = each.value.collectionGroup
  query_scope = each.value.queryScope

  dynamic "fields" {
    for_each = each.value.fields
    content {
      field_path   = fields.value.fieldPath
      order        = try(fields.value.order, null)
      array_config = try(fields.value.arrayConfig, null)
    }
  }
}

# Exemptions of single fields, and TTL policies. Firestore deletes expired documents within about a day, so readers check expireAt.
resource "google_firestore_field" "this" {
  for_each = local.fields

  project    = var.project_id
  database   = google_firestore_database.this.name
  collection = each.value.collectionGroup
  field      = each.value.fieldPath

  # An empty block (no entries) removes all indexes.
  index_config {
    dynamic "indexes" {
      for_each = each.value.indexes
      content {
        order        = try(indexes.value.order, null)
        array_config = try(indexes.value.arrayConfig, null)
        query_scope  = try(indexes.value.queryScope, "COLLECTION")
      }
    }
  }

  dynamic "ttl_config" {
    for_each = try(each.value.ttl, false) ? [1] : []
    content {}
  }
}
