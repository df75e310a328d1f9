# Cloud Storage gives these roles on a new bucket to the project's owners, editors and viewers (https://cloud.google.com/storage/docs/access-control/iam-roles).
# A binding is all members of its role, so the owners keep them alone. Without legacyBucketOwner not even an owner could read or change the policy: to
# destroy a binding, see Undo in terraform/README.md.
locals {
  default_roles = toset([for name in ["legacyBucketOwner", "legacyBucketReader", "legacyObjectOwner", "legacyObjectReader"] : "roles/storage.${name}"])
}

resource "google_storage_bucket_iam_binding" "export" {
  for_each = local.default_roles

  bucket  = google_storage_bucket.export.name
  role    = each.value
  members = ["projectOwner:${var.project_id}"]
}
