output "addresses" {
  description = "Addresses for the hosts' A and AAAA records."
  value       = { for version, address in google_compute_global_address.front : version => address.address }
}

output "backends" {
  description = "Names of the backend services, by function."
  value       = { for name, backend in google_compute_backend_service.endpoint : name => backend.name }
}

output "base_urls" {
  description = "The base URLs of the two APIs."
  value       = { for api, host in var.hosts : api => "https://${host}" }
}

output "candidate_base_urls" {
  description = "The base URLs of the two APIs of the next release. Null without `candidate_hosts`."
  value       = var.candidate_hosts == null ? null : { for api, host in var.candidate_hosts : api => "https://${host}" }
}

output "security_policy" {
  description = "Name of the policy with the rate limits."
  value       = google_compute_security_policy.limits.name
}

output "url_map" {
  description = "Name of the URL map, which the load balancer's metrics are labelled with."
  value       = google_compute_url_map.front.name
}
