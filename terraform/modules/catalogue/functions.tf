locals {
  # Endpoints that answer with the result of a warehouse query. The trigger decides the kind of all others.
  previews = ["aggregation-estimate", "aggregation-preview", "availability-list", "geographies-find", "realtime-history"]

  # Workers that are kept few, with a kind of their own.
  measurements = ["realtime-measure"]
  imports      = ["loading-import"]

  # A customer's first request waits for the login, and a page that shows people for the realtime data.
  kept = { auth-login = var.min_instances.login, realtime-data = var.min_instances.realtime_data }

  kind_of_trigger = { http = "endpoint", schedule = "schedule", topic = "worker" }

  kind_of = {
    for entry in var.functions : entry.name => (
      contains(local.previews, entry.name) ? "preview" : contains(local.measurements, entry.name) ? "measurement" : contains(local.imports, entry.name) ? "import" : local.kind_of_trigger[entry.trigger]
    )
  }

  functions = {
    for entry in var.functions : entry.name => merge(
      entry,
      { kind = local.kind_of[entry.name] },
      local.kinds[local.kind_of[entry.name]],
      { min_instances = local.kind_of[entry.name] == "preview" ? var.min_instances.previews : lookup(local.kept, entry.name, 0) },
    ) if !contains(var.withheld, entry.name)
  }

  # Cloud Scheduler supports times, not intervals: only minutes that divide an hour.
  cron_of_minutes = {
    for minutes in [1, 2, 3, 4, 5, 6, 10, 12, 15, 20, 30, 60] : minutes => minutes == 1 ? "* * * * *" : minutes == 60 ? "0 * * * *" : "*/${minutes} * * * *"
  }
}
