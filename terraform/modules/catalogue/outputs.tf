output "functions" {
  description = "Functions by name: as in functions.json, with kind, instances, concurrency, cpu, memory and timeout_seconds."
  value       = local.functions
}

output "kinds" {
  description = "The table of kinds as this environment has it."
  value       = local.kinds
}

output "otherwise" {
  description = "For each API the function that answers every path that is nobody's with 404."
  value       = local.otherwise
}

output "routes" {
  description = "For each API its route rules, in the order of their priority. `allow` is set where any method is met, with those that the path takes."
  value       = local.routes
}

output "schedules" {
  description = "The functions that the schedule calls, by name, with their time in cron's terms."
  value       = { for name, one in local.functions : name => merge(one, { cron = local.cron_of_minutes[one.every_seconds / 60] }) if one.trigger == "schedule" }
}

output "totals" {
  description = "How many there are of what Google limits for a URL map: https://cloud.google.com/load-balancing/docs/quotas#url_maps"
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
