# Headers of every answer, from the file that the local service reads. The load balancer adds them, since Cloud Storage cannot.
resource "google_compute_backend_bucket" "console" {
  project          = var.project_id
  name             = "populus-console"
  description      = "The web console"
  bucket_name      = google_storage_bucket.console.name
  enable_cdn       = true
  compression_mode = "AUTOMATIC"
  custom_response_headers = [
    for name, value in jsondecode(file(var.headers_file)) :
    "${name}: ${replace(value, "{addresses}", join(" ", concat([var.base_urls.users, var.base_urls.data, local.storage_url], local.base_map_origins)))}"
  ]

  cdn_policy {
    cache_mode = "USE_ORIGIN_HEADERS"
  }
}
