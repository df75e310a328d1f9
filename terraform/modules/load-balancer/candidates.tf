# Where a release is tested before it gets traffic: the same paths on two more hosts, to the revisions with a tag. A tag's own address cannot be called,
# because endpoints take requests through the load balancer alone. `scripts/deploy` sets the tag.
resource "google_compute_region_network_endpoint_group" "candidate" {
  for_each = local.candidates

  project               = var.project_id
  region                = var.region
  name                  = "${each.key}-candidate"
  network_endpoint_type = "SERVERLESS"

  cloud_run {
    service = each.value
    tag     = "candidate"
  }
}

# With the limits of the endpoints: whoever finds the host calls the same functions.
resource "google_compute_backend_service" "candidate" {
  for_each = local.candidates

  project               = var.project_id
  name                  = "${each.key}-candidate"
  description           = "The next release of the function ${each.key}"
  load_balancing_scheme = "EXTERNAL_MANAGED"
  protocol              = "HTTPS"
  security_policy       = google_compute_security_policy.limits.id

  backend {
    group = google_compute_region_network_endpoint_group.candidate[each.key].id
  }

  # As in backends.tf.
  log_config {
    enable = false
  }

  lifecycle {
    create_before_destroy = true
  }
}

locals {
  candidates = var.candidate_hosts == null ? {} : var.endpoints

  # The hosts by name: each API, and each API's candidate.
  hosts = merge(var.hosts, var.candidate_hosts == null ? {} : { for api, host in var.candidate_hosts : "candidate-${api}" => host })

  # Each host's API, and the backend services that its paths lead to.
  matchers = {
    for name in keys(local.hosts) : name => {
      api         = trimprefix(name, "candidate-")
      backends    = startswith(name, "candidate-") ? local.candidate_backends : local.endpoint_backends
      has_console = name == "users"
    }
  }
  candidate_backends = { for name, backend in google_compute_backend_service.candidate : name => backend.id }
  endpoint_backends  = { for name, backend in google_compute_backend_service.endpoint : name => backend.id }
}
