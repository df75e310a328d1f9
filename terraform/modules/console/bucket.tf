# The console's files. A backend bucket is read as allUsers, so the bucket is public: it holds the same page, scripts and base map for everybody, and
# nothing of a customer. Where an organisation forbids public buckets (iam.allowedPolicyMemberDomains), it needs an exception for this one.
resource "google_storage_bucket" "console" {
  project                     = var.project_id
  name                        = var.bucket
  location                    = var.region
  storage_class               = "STANDARD"
  uniform_bucket_level_access = true
  force_destroy               = !var.is_protected
  labels                      = merge(var.labels, { purpose = "console" })
}

resource "google_storage_bucket_iam_member" "readers" {
  bucket = google_storage_bucket.console.name
  role   = "roles/storage.legacyObjectReader"
  member = "allUsers"
}

locals {
  storage_url = "https://storage.googleapis.com"
  # The origin of an absolute address, and those that it needs besides. The console's own host needs none.
  base_map_origins = var.base_map == null ? [] : sort(setunion(regexall("^https://[^/]+", var.base_map.url), var.base_map.origins))

  files = { for file in jsondecode(file("${var.files_folder}/files.json")) : file.name => file }
}

# Named by their content, except the page, which is replaced last: it names only files that are there.
resource "google_storage_bucket_object" "file" {
  for_each = { for name, file in local.files : name => file if name != "index.html" }

  bucket         = google_storage_bucket.console.name
  name           = "console/${each.key}"
  source         = "${var.files_folder}/${each.key}"
  source_md5hash = filemd5("${var.files_folder}/${each.key}")
  content_type   = each.value.type
  cache_control  = each.value.cacheControl
}

resource "google_storage_bucket_object" "page" {
  bucket         = google_storage_bucket.console.name
  name           = "console/index.html"
  source         = "${var.files_folder}/index.html"
  source_md5hash = filemd5("${var.files_folder}/index.html")
  content_type   = local.files["index.html"].type
  cache_control  = local.files["index.html"].cacheControl
  depends_on     = [google_storage_bucket_object.file, google_storage_bucket_object.config]
}

# The addresses, so that one build serves every environment.
resource "google_storage_bucket_object" "config" {
  bucket        = google_storage_bucket.console.name
  name          = "console/config.json"
  content_type  = "application/json"
  cache_control = "no-cache"
  content = jsonencode(merge(
    {
      users_base_url = var.base_urls.users
      data_base_url  = var.base_urls.data
      storage_url    = local.storage_url
      export_bucket  = var.export_bucket
      tick_seconds   = var.tick_seconds
    },
    var.base_map == null ? {} : { base_map = { kind = var.base_map.kind, url = var.base_map.url } },
  ))
}
