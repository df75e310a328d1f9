# The two base URLs: a global external application load balancer. Why not API Gateway, which could be made of the OpenAPI documents (3.1 since 2025):
#
# - Region. It is in ten, of which Europe's are europe-west1 and europe-west2 (https://cloud.google.com/api-gateway/docs/deployment-model): a call to
#   functions in europe-north1 would go by way of Belgium, about 30 ms there and back, and its key and answer would be in clear outside the region.
# - Limits. It has none by address, and counts by API keys of Google's, not by ours. Cloud Armor stands before a load balancer in any case, and a
#   gateway behind one is a preview.
# - Form. It answers what no path takes, a wrong method and its own faults in its own words, not as problem documents; a call may take 15 s unless
#   each path says otherwise (`deadline` of x-google-backend). Size decides nothing: it takes 32 MB, our bodies are at most 1 MiB.
# - Price. 3 USD a million calls from the third million of a month on (https://cloud.google.com/api-gateway/docs/pricing), nothing when idle. The
#   balancer's rules are 18 USD a month and Cloud Armor's 8, then 0.75 USD a million requests: what is above costs up to 26 USD a month, until 14
#   million calls, from where the gateway is the dearer one. (Read in November 2026, but for Cloud Armor's 5 a policy, 1 a rule and 0.75 a million, which
#   are from memory, as are the 15 s and 30 ms above.)
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
  ssl_certificates = [for host in sort(keys(var.hosts)) : google_compute_managed_ssl_certificate.host[host].id]
  ssl_policy       = google_compute_ssl_policy.front.id
}

resource "google_compute_target_http_proxy" "front" {
  project = var.project_id
  name    = "populus-to-https"
  url_map = google_compute_url_map.to_https.id
}

# 308 and not 301: a POST stays a POST.
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
  # Four forwarding rules cost what one does: up to five are one price.
  ip_versions = toset(["IPV4", "IPV6"])
}
