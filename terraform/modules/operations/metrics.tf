# Log-based metrics. Functions log lines of JSON (`shared/runtime/log.ts`). A test checks that each message named here is in the source.
locals {
  functions_log = "resource.type=\"cloud_run_revision\" AND resource.labels.service_name=(${join(" OR ", [for name in sort(var.functions) : "\"${name}\""])})"
  sweeps        = "resource.type=\"cloud_run_revision\" AND resource.labels.service_name=\"aggregation-sweep\" AND jsonPayload.message=\"Swept\""

  counters = {
    audit_entries     = { description = "Entries of the audit: keys, tokens, refusals", filter = "${local.functions_log} AND jsonPayload.audit.action:*" }
    function_errors   = { description = "Errors logged by functions, or by the platform about them", filter = "${local.functions_log} AND severity>=ERROR" }
    function_warnings = { description = "Warnings: mostly services that did not answer, and work left to the next sweep", filter = "${local.functions_log} AND severity=WARNING" }
    new_networks      = { description = "Keys used from a network that is new to them, after 30 days without a new one", filter = "${local.functions_log} AND jsonPayload.audit.action=\"key.network\"" }
    overdue_sweeps    = { description = "Sweeps that found a job past its deadline, and failed it", filter = "${local.sweeps} AND jsonPayload.overdue>0" }
    sweeps            = { description = "Sweeps of jobs", filter = local.sweeps }
    ticks             = { description = "Ticks with finished headcounts", filter = "resource.type=\"cloud_run_revision\" AND resource.labels.service_name=\"realtime-refresh\" AND jsonPayload.message=\"Headcounts refreshed\"" }
    ticks_given_up    = { description = "Ticks that were given up, or the load of one into a customer's table: no customer has their headcounts, or one lacks them in its views", filter = "resource.type=\"cloud_run_revision\" AND resource.labels.service_name=\"realtime-refresh\" AND ((severity=ERROR AND jsonPayload.message=\"A tick is given up\") OR (severity=ERROR AND jsonPayload.message=\"A load of a customer's table is given up\"))" }
  }

  # What a sweep has found, by the field names of its log line.
  chores = {
    for name, description in {
      freePlaces = "Customers with a free place and a job that waits for it"
      leftovers  = "Jobs whose lost attempts have left something behind"
      overdue    = "Jobs past their deadline"
      untouched  = "Jobs that nobody has touched for a while: their delivery is sent again"
    } : name => { description = description, extractor = "EXTRACT(jsonPayload.${name})", filter = "${local.sweeps} AND jsonPayload.${name}>=0" }
  }
}

resource "google_logging_metric" "counter" {
  for_each = local.counters

  project     = var.project_id
  name        = "populus/${each.key}"
  description = each.value.description
  filter      = each.value.filter

  label_extractors = { function = "EXTRACT(resource.labels.service_name)" }

  metric_descriptor {
    metric_kind  = "DELTA"
    value_type   = "INT64"
    unit         = "1"
    display_name = each.value.description

    labels {
      key         = "function"
      value_type  = "STRING"
      description = "The function"
    }
  }
}

# An alert on a log-based metric is refused for up to ten minutes after the metric was created ("Cannot find metric(s)",
# https://github.com/hashicorp/terraform-provider-google/issues/11102). Only a first apply waits, and one that adds a metric.
resource "time_sleep" "metrics" {
  create_duration = "600s"
  triggers        = { for name, metric in google_logging_metric.counter : name => metric.name }
}

resource "google_logging_metric" "chore" {
  for_each = local.chores

  project         = var.project_id
  name            = "populus/sweep_${lower(each.key)}"
  description     = each.value.description
  filter          = each.value.filter
  value_extractor = each.value.extractor

  metric_descriptor {
    metric_kind  = "DELTA"
    value_type   = "DISTRIBUTION"
    unit         = "1"
    display_name = each.value.description
  }

  # A sweep handles at most 100 jobs of a kind.
  bucket_options {
    explicit_buckets {
      bounds = [0, 1, 2, 5, 10, 20, 50, 100, 200]
    }
  }
}
