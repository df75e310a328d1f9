# Rate limits at Google's edge, before a function runs. The first rule that matches decides, even if it allows the request: limits are not
# combined (https://cloud.google.com/armor/docs/rate-limiting-overview). So requests with a well-formed key are counted by key, all others by
# address. Counts are per backend service, so per endpoint, and per Google region.
#
# A client that invents a new well-formed key for each request is not limited, even from one address. A rule by address before the rule by key would end
# the evaluation for requests that it allows, so keys would not be counted. Several keys of one rule (`enforce_on_key_configs`) count each combination,
# which leaves the same gap. Each such request costs one Firestore read and a function's time, which is bounded by the number of instances (kinds.tf).
# The dashboard shows it, and `blocked_addresses` ends it.
resource "google_compute_security_policy" "limits" {
  project     = var.project_id
  name        = "populus-limits"
  description = "Blocked addresses, then requests by key, then by address"
  type        = "CLOUD_ARMOR"

  # Not VERBOSE, which logs the headers that a rule evaluates, so also keys.
  advanced_options_config {
    log_level = "NORMAL"
  }

  dynamic "rule" {
    for_each = { for index, addresses in chunklist(sort(var.blocked_addresses), 10) : index => addresses }
    iterator = blocked
    content {
      action      = "deny(403)"
      priority    = 100 + blocked.key
      description = "Blocked by operators"
      match {
        versioned_expr = "SRC_IPS_V1"
        config {
          src_ip_ranges = blocked.value
        }
      }
    }
  }

  rule {
    action      = "throttle"
    priority    = 1000
    description = "By key"
    match {
      expr {
        expression = "has(request.headers['x-api-key']) && request.headers['x-api-key'].matches('^[0-9a-f]{64}$')"
      }
    }
    rate_limit_options {
      conform_action      = "allow"
      exceed_action       = "deny(429)"
      enforce_on_key      = "HTTP_HEADER"
      enforce_on_key_name = "x-api-key"
      rate_limit_threshold {
        count        = var.requests_per_minute.key
        interval_sec = 60
      }
    }
  }

  rule {
    action      = "throttle"
    priority    = 2000
    description = "By address"
    match {
      versioned_expr = "SRC_IPS_V1"
      config {
        src_ip_ranges = ["*"]
      }
    }
    rate_limit_options {
      conform_action = "allow"
      exceed_action  = "deny(429)"
      enforce_on_key = "IP"
      rate_limit_threshold {
        count        = var.requests_per_minute.address
        interval_sec = 60
      }
    }
  }

  # A policy must have a default rule. No request reaches it, because the rule before matches all.
  rule {
    action      = "allow"
    priority    = 2147483647
    description = "Default"
    match {
      versioned_expr = "SRC_IPS_V1"
      config {
        src_ip_ranges = ["*"]
      }
    }
  }
}
