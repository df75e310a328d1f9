# What is reached from outside, by which names and how often.
mock_provider "google" {}

variables {
  console_backend = "projects/populus-prod/global/backendBuckets/populus-console"
  hosts           = { data = "data.example.com", users = "users.example.com" }
  project_id      = "populus-prod"
  region          = "europe-north1"
}

run "planned" {
  command = plan
  module {
    source = "../environment-plan/tests/production"
  }
}

# A few functions: applying all takes seconds, and they differ in nothing.
run "each_route_leads_to_its_function_and_to_the_next_release_under_another_host" {
  command = apply
  variables {
    candidate_hosts = { data = "data-candidate.example.com", users = "users-candidate.example.com" }
    dns_zone        = { name = "example-com" }
    endpoints       = { for name in run.planned.plan.endpoints : name => name if contains(concat(values(run.planned.plan.otherwise), ["aggregation-submit", "auth-login"]), name) }
    otherwise       = run.planned.plan.otherwise
    routes          = { for api, rules in run.planned.plan.routes : api => [for rule in rules : rule if contains(concat(values(run.planned.plan.otherwise), ["aggregation-submit", "auth-login"]), rule.function)] }
  }

  assert {
    condition = { for host in google_compute_url_map.front.host_rule : one(host.hosts) => host.path_matcher } == {
      "data-candidate.example.com" = "candidate-data", "data.example.com" = "data", "users-candidate.example.com" = "candidate-users", "users.example.com" = "users"
    }
    error_message = jsonencode(google_compute_url_map.front.host_rule)
  }
  assert {
    condition = alltrue([
      for matcher in google_compute_url_map.front.path_matcher : [for rule in matcher.route_rules : rule.service if rule.priority > 3] == [
        for rule in var.routes[trimprefix(matcher.name, "candidate-")] :
        startswith(matcher.name, "candidate-") ? google_compute_backend_service.candidate[rule.function].id : google_compute_backend_service.endpoint[rule.function].id
      ]
    ])
    error_message = "A path leads to another function, or to another release."
  }
  # Google refuses rules in another order.
  assert {
    condition = alltrue(flatten([
      for matcher in google_compute_url_map.front.path_matcher : [
        for place in range(1, length(matcher.route_rules)) : matcher.route_rules[place].priority > matcher.route_rules[place - 1].priority
      ]
    ]))
    error_message = "Rules are not in the order of their priorities: ${jsonencode([for matcher in google_compute_url_map.front.path_matcher : [for rule in matcher.route_rules : rule.priority]])}"
  }
  # The console is under the host of the Users API alone.
  assert {
    condition     = { for matcher in google_compute_url_map.front.path_matcher : matcher.name => length([for rule in matcher.route_rules : rule if rule.service == var.console_backend]) } == { candidate-data = 0, candidate-users = 0, data = 0, users = 2 }
    error_message = "Files of the console are elsewhere."
  }
  assert {
    condition     = alltrue([for one in google_compute_region_network_endpoint_group.candidate : one.cloud_run[0].tag == "candidate"]) && alltrue([for one in google_compute_region_network_endpoint_group.endpoint : one.cloud_run[0].tag == null])
    error_message = "Customers' requests would reach a release without traffic."
  }
  assert {
    condition     = length(google_dns_record_set.host) == 8 && google_dns_record_set.host["users AAAA"].name == "users.example.com." && google_dns_record_set.host["users AAAA"].rrdatas == tolist([google_compute_global_address.front["IPV6"].address])
    error_message = jsonencode(keys(google_dns_record_set.host))
  }
  assert {
    condition     = length(google_compute_managed_ssl_certificate.host) == 4 && length(google_compute_target_https_proxy.front.ssl_certificates) == 4 && google_compute_ssl_policy.front.min_tls_version == "TLS_1_2"
    error_message = "A host without a certificate."
  }
  assert {
    condition     = alltrue([for one in concat(values(google_compute_backend_service.endpoint), values(google_compute_backend_service.candidate)) : one.security_policy == google_compute_security_policy.limits.id && !one.log_config[0].enable && one.load_balancing_scheme == "EXTERNAL_MANAGED"])
    error_message = "A backend without limits, or one that logs parts of keys."
  }
}

run "without_another_host_nothing_leads_to_a_release_without_traffic" {
  command = plan
  variables {
    endpoints = { for name in run.planned.plan.endpoints : name => name }
    otherwise = run.planned.plan.otherwise
    routes    = run.planned.plan.routes
  }

  assert {
    condition     = length(google_compute_backend_service.candidate) == 0 && length(google_dns_record_set.host) == 0 && output.candidate_base_urls == null
    error_message = "Without candidate hosts nothing leads to revisions without traffic."
  }
  assert {
    condition     = length(google_compute_backend_service.endpoint) == length(run.planned.plan.endpoints) && sum([for matcher in google_compute_url_map.front.path_matcher : length([for rule in matcher.route_rules : rule if rule.priority > 3])]) == sum([for rules in values(run.planned.plan.routes) : length(rules)])
    error_message = "A route is missing."
  }
  # Plain HTTP only redirects.
  assert {
    condition     = google_compute_url_map.to_https.default_url_redirect[0].https_redirect && google_compute_target_http_proxy.front.url_map == google_compute_url_map.to_https.id && alltrue([for one in google_compute_global_forwarding_rule.http : one.target == google_compute_target_http_proxy.front.id && one.port_range == "80"])
    error_message = "Something is served without TLS."
  }
}

run "blocked_addresses_come_first_then_keys_then_addresses" {
  command = plan
  variables {
    blocked_addresses   = [for index in range(11) : "192.0.2.${index}/32"]
    endpoints           = { for name in run.planned.plan.endpoints : name => name if contains(concat(values(run.planned.plan.otherwise), ["aggregation-submit", "auth-login"]), name) }
    otherwise           = run.planned.plan.otherwise
    requests_per_minute = { address = 60, key = 600 }
    routes              = { for api, rules in run.planned.plan.routes : api => [for rule in rules : rule if contains(concat(values(run.planned.plan.otherwise), ["aggregation-submit", "auth-login"]), rule.function)] }
  }

  assert {
    condition = { for rule in google_compute_security_policy.limits.rule : rule.priority => [rule.action, [for limit in rule.rate_limit_options : [limit.enforce_on_key, one(limit.rate_limit_threshold).count]]] } == {
      100        = ["deny(403)", []]
      101        = ["deny(403)", []]
      1000       = ["throttle", [["HTTP_HEADER", 600]]]
      2000       = ["throttle", [["IP", 60]]]
      2147483647 = ["allow", []]
    }
    error_message = jsonencode(google_compute_security_policy.limits.rule)
  }
}

run "hosts_and_limits_that_cannot_be_are_refused" {
  command = plan
  variables {
    blocked_addresses   = ["192.0.2.7"]
    endpoints           = { for name in run.planned.plan.endpoints : name => name if contains(concat(values(run.planned.plan.otherwise), ["aggregation-submit", "auth-login"]), name) }
    hosts               = { data = "https://data.example.com", users = "https://data.example.com" }
    otherwise           = { data = "nobody" }
    requests_per_minute = { address = 0 }
    routes              = { data = [{ function = "nobody", priority = 1 }], users = [] }
  }
  expect_failures = [var.blocked_addresses, var.hosts, var.otherwise, var.requests_per_minute, var.routes]
}

run "a_candidate_under_the_host_of_customers_is_refused" {
  command = plan
  variables {
    candidate_hosts = { data = "data.example.com", users = "users.example.com" }
    endpoints       = { for name in run.planned.plan.endpoints : name => name if contains(concat(values(run.planned.plan.otherwise), ["aggregation-submit", "auth-login"]), name) }
    otherwise       = run.planned.plan.otherwise
    routes          = { for api, rules in run.planned.plan.routes : api => [for rule in rules : rule if contains(concat(values(run.planned.plan.otherwise), ["aggregation-submit", "auth-login"]), rule.function)] }
  }
  expect_failures = [var.candidate_hosts]
}
