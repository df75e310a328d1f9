output "functions" {
  description = "Functions by name: as in functions.json, with kind, instances, min_instances, concurrency, cpu, memory and timeout_seconds."
  value       = local.functions
}

output "kinds" {
  description = "The table of kinds in this environment."
  value       = local.kinds
}

output "otherwise" {
  description = "For each API the function that answers unknown paths with 404."
  value       = local.otherwise
}

output "routes" {
  description = "For each API its route rules, by priority. `allow` is set on rules for any method, and lists the methods of the path."
  value       = local.routes
}

output "schedules" {
  description = "Scheduled functions, by name, with their cron expression."
  value       = { for name, one in local.functions : name => merge(one, { cron = local.cron_of_minutes[one.every_seconds / 60] }) if one.trigger == "schedule" }
}

output "totals" {
  description = "Counts of what Google limits for a URL map: https://cloud.google.com/load-balancing/docs/quotas#url_maps"
  value = {
    backends = length(local.endpoints)
    by_api = {
      for api, rules in local.routes : api => {
        route_rules    = length(rules)
        predicates     = length(rules) + length([for rule in rules : rule if rule.method != null])
        path_templates = length([for rule in rules : rule if rule.path_template_match != null])
      }
    }
  }
}

output "workers" {
  description = "The functions that a topic calls, by name."
  value       = { for name, one in local.functions : name => one if one.trigger == "topic" }
}
