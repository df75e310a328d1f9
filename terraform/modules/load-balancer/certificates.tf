# One certificate per host, so that a change of one host does not affect the other. It is issued once the host's records point to the load balancer's
# addresses, usually within the hour (https://cloud.google.com/load-balancing/docs/ssl-certificates/google-managed-certs), and renews itself.
resource "google_compute_managed_ssl_certificate" "host" {
  for_each = local.hosts

  project = var.project_id
  name    = "populus-${each.key}-${substr(sha256(each.value), 0, 8)}"

  managed {
    domains = [each.value]
  }

  lifecycle {
    create_before_destroy = true
  }
}

resource "google_compute_ssl_policy" "front" {
  project         = var.project_id
  name            = "populus"
  profile         = "MODERN"
  min_tls_version = "TLS_1_2"
}

# The hosts' records, if their zone is in Cloud DNS. Otherwise the operator creates them from the output `addresses`.
resource "google_dns_record_set" "host" {
  for_each = var.dns_zone == null ? {} : {
    for pair in setproduct(keys(local.hosts), ["A", "AAAA"]) : "${pair[0]} ${pair[1]}" => { host = pair[0], type = pair[1] }
  }

  project      = coalesce(var.dns_zone.project_id, var.project_id)
  managed_zone = var.dns_zone.name
  name         = "${local.hosts[each.value.host]}."
  type         = each.value.type
  ttl          = 300
  rrdatas      = [google_compute_global_address.front[each.value.type == "A" ? "IPV4" : "IPV6"].address]
}
