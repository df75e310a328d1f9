# Rate limits at Google's edge, before anything of ours runs. The first rule that matches decides, also when it lets a request through: limits are not
# added up (https://cloud.google.com/armor/docs/rate-limiting-overview). So requests with a key in the form of one are counted by key, all others by
# address. Counts are by backend service, so for each endpoint on its own, and by Google's region.
#
# Whoever invents ever new keys in that form is counted by none, from one address too. A rule by address before the one by key would end the evaluation
# for what it lets through, and keys would not be counted; several keys of one rule (`enforce_on_key_configs`) count each combination, the same gap.
# Each such request costs one read of Firestore and a function's time, of which there is as much as instances (kinds.tf); the dashboard shows it, and
# `blocked_addresses` ends it.
resource "google_compute_security_policy" "limits" {
  project     = var.project_id
  name        = "populus-limits"
  description = "Blocked addresses, then requests by key, then by address"
  type        = "CLOUD_ARMOR"

  # Not VERBOSE, which logs the headers that a rule has looked at: keys.
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
        expression = "has(request.headers['x-api-key']) && request.headers['x-api-key'].matches('^[0-9A-Fa-f]{64}$')"
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

  # A policy must have it; the rule before it leaves it nothing.
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
