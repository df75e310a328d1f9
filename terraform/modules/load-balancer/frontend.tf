# The two base URLs: a global external application load balancer. API Gateway, which can read the OpenAPI documents (3.1 since 2025), was rejected:
#
# - Region. It is in ten regions; those in Europe are europe-west1 and europe-west2 (https://cloud.google.com/api-gateway/docs/deployment-model). A call
#   to functions in europe-north1 would pass through Belgium, about 30 ms both ways, and its key and answer would be in clear outside the region.
# - Limits. It has no limits by address, and counts by Google's API keys, not ours. Cloud Armor needs a load balancer in any case, and a gateway behind
#   one is a preview feature.
# - Errors. For an unknown path, a wrong method and its own errors it answers in its own format, not with problem documents. A call may take 15 s unless
#   each path says otherwise (`deadline` of x-google-backend). Body size does not matter: it accepts 32 MB, our bodies are at most 1 MiB.
# - Price. 3 USD per million calls from the third million of a month on (https://cloud.google.com/api-gateway/docs/pricing), nothing when idle. The
#   load balancer's rules cost 18 USD a month and Cloud Armor's 8, then 0.75 USD per million requests. So this costs up to 26 USD a month more, until 14
#   million calls, above which the gateway is more expensive. (Read in November 2026, except Cloud Armor's 5 per policy, 1 per rule and 0.75 per million,
#   which are from memory, as are the 15 s and 30 ms above.)
resource "google_compute_global_address" "front" {
  for_each = local.ip_versions

  project    = var.project_id
  name       = "populus-${lower(each.key)}"
  ip_version = each.key
  labels     = var.labels
}

resource "google_compute_global_forwarding_rule" "https" {
  for_each = local.ip_versions

  project               = var.project_id
  name                  = "populus-https-${lower(each.key)}"
  load_balancing_scheme = "EXTERNAL_MANAGED"
  ip_protocol           = "TCP"
  ip_address            = google_compute_global_address.front[each.key].id
  port_range            = "443"
  target                = google_compute_target_https_proxy.front.id
  labels                = var.labels
}

resource "google_compute_global_forwarding_rule" "http" {
  for_each = local.ip_versions

  project               = var.project_id
  name                  = "populus-http-${lower(each.key)}"
  load_balancing_scheme = "EXTERNAL_MANAGED"
  ip_protocol           = "TCP"
  ip_address            = google_compute_global_address.front[each.key].id
  port_range            = "80"
  target                = google_compute_target_http_proxy.front.id
  labels                = var.labels
}

resource "google_compute_target_https_proxy" "front" {
  project          = var.project_id
  name             = "populus"
  url_map          = google_compute_url_map.front.id
  ssl_certificates = [for host in sort(keys(local.hosts)) : google_compute_managed_ssl_certificate.host[host].id]
  ssl_policy       = google_compute_ssl_policy.front.id
}

resource "google_compute_target_http_proxy" "front" {
  project = var.project_id
  name    = "populus-to-https"
  url_map = google_compute_url_map.to_https.id
}

# 308 instead of 301: a POST stays a POST.
resource "google_compute_url_map" "to_https" {
  project = var.project_id
  name    = "populus-to-https"

  default_url_redirect {
    https_redirect         = true
    redirect_response_code = "PERMANENT_REDIRECT"
    strip_query            = false
  }
}

locals {
  # Four forwarding rules cost the same as one: up to five have one price.
  ip_versions = toset(["IPV4", "IPV6"])
}
