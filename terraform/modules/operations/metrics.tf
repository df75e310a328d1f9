# Log-based metrics. Functions log lines of JSON (`shared/runtime/log.ts`). scripts/terraform/operations writes the filters, and
# functions/log-metrics.test.ts evaluates each over lines that the functions have written.
resource "google_logging_metric" "counter" {
  for_each = var.log_metrics.counters

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

resource "google_logging_metric" "distribution" {
  for_each = var.log_metrics.distributions

  project         = var.project_id
  name            = "populus/${each.key}"
  description     = each.value.description
  filter          = each.value.filter
  value_extractor = "EXTRACT(${each.value.field})"

  metric_descriptor {
    metric_kind  = "DELTA"
    value_type   = "DISTRIBUTION"
    unit         = each.value.unit
    display_name = each.value.description
  }

  bucket_options {
    explicit_buckets {
      bounds = each.value.bounds
    }
  }
}

# An alert or an objective on a log-based metric is refused for up to ten minutes after the metric was created ("Cannot find metric(s)",
# https://github.com/hashicorp/terraform-provider-google/issues/11102). Only a first apply waits, and one that adds a metric.
resource "time_sleep" "metrics" {
  create_duration = "600s"
  triggers        = { for name, metric in merge(google_logging_metric.counter, google_logging_metric.distribution) : name => metric.name }
}
