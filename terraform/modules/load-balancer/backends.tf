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

# One backend service per endpoint, because a route leads to a backend service. With serverless groups it has no health check, no port, and no
# timeout: the function's own applies (https://cloud.google.com/load-balancing/docs/negs/serverless-neg-concepts#limitations).
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

  # Off: a request that matches a rate rule is logged with up to 36 bytes of its rate-limit key (rateLimitAction.key), more than half of an API key
  # (https://cloud.google.com/armor/docs/request-logging). Functions log each request themselves, and the load balancer's metrics need no log.
  log_config {
    enable = false
  }

  # The URL map must drop a removed endpoint before its backend is destroyed; Google refuses otherwise. This also applies to all dependencies (group,
  # function, account): if one must be replaced, for example in another region, the new one is created before the old one is destroyed. That ends in
  # 409, because the name is taken. Run `terraform destroy -target=ADDRESS` first, which removes its endpoint from the load balancer, and deploy.
  lifecycle {
    create_before_destroy = true
  }
}
