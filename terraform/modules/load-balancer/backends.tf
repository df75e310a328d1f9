resource "google_compute_region_network_endpoint_group" "endpoint" {
  for_each = var.endpoints

  project               = var.project_id
  region                = var.region
  name                  = each.key
  network_endpoint_type = "SERVERLESS"

  cloud_run {
    service = each.value
  }
}

# One backend service an endpoint, since a route leads to a backend service. With serverless groups it has no health check, no port, and no time
# limit: the function's own holds (https://cloud.google.com/load-balancing/docs/negs/serverless-neg-concepts#limitations).
resource "google_compute_backend_service" "endpoint" {
  for_each = var.endpoints

  project               = var.project_id
  name                  = each.key
  description           = "The function ${each.key}"
  load_balancing_scheme = "EXTERNAL_MANAGED"
  protocol              = "HTTPS"
  security_policy       = google_compute_security_policy.limits.id

  backend {
    group = google_compute_region_network_endpoint_group.endpoint[each.key].id
  }

  # Off: a request that a rate rule has matched is logged with up to 36 bytes of what it was counted by (rateLimitAction.key): more than half of an API key
  # (https://cloud.google.com/armor/docs/request-logging). Functions log each request themselves, and the balancer's metrics need no log.
  log_config {
    enable = false
  }

  # So that the URL map lets go of an endpoint that is no longer before its backend is destroyed, which Google refuses otherwise. It holds for all that
  # this depends on, too (group, function, account): a forced replacement of one, say in another region, is made before the old one goes, and ends in
  # 409, since its name is taken. Then `terraform destroy -target=ADDRESS` first, which takes its endpoint off the balancer, and deploy.
  lifecycle {
    create_before_destroy = true
  }
}
