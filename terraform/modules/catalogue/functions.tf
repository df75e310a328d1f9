locals {
  # Endpoints that answer with the result of a warehouse query. The trigger decides the kind of all others.
  previews = ["aggregation-estimate", "aggregation-preview", "availability-list", "geographies-find", "realtime-history"]

  kind_of_trigger = { http = "endpoint", schedule = "schedule", topic = "worker" }

  functions = {
    for entry in var.functions : entry.name => merge(
      entry,
      { kind = contains(local.previews, entry.name) ? "preview" : local.kind_of_trigger[entry.trigger] },
      local.kinds[contains(local.previews, entry.name) ? "preview" : local.kind_of_trigger[entry.trigger]],
    ) if !contains(var.withheld, entry.name)
  }

  # Cloud Scheduler supports times, not intervals: only minutes that divide an hour.
  cron_of_minutes = {
    for minutes in [1, 2, 3, 4, 5, 6, 10, 12, 15, 20, 30, 60] : minutes => minutes == 1 ? "* * * * *" : minutes == 60 ? "0 * * * *" : "*/${minutes} * * * *"
  }
}
