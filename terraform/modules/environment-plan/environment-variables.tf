# Environment variables. All but one are the same for every function. Which there are and what they look like is generated from the schema that reads them
# (`shared/runtime/config.ts`), and checked in outputs.tf. Addresses of Google's services are left out: the clients know them.
locals {
  # Without origins or a collector the variable is left out: Cloud Run has no empty variables.
  environment_variables = merge(local.platform_variables, { for name, value in local.service_variables : name => value if value != "" })

  # Only for functions that may use it: their queries would be refused otherwise.
  interactive_variables = var.interactive_reservation == null ? {} : { INTERACTIVE_RESERVATION = var.interactive_reservation }

  # The first is that of customers without a recorded one.
  delivery_projects = concat([var.delivery_project], var.more_delivery_projects)

  service_variables = {
    ACCOUNTS_PROJECT            = join(",", local.delivery_projects)
    ARRIVAL_HOUR                = var.arrival_hour == null ? "" : tostring(var.arrival_hour)
    BYTES_BILLED_MAX            = tostring(var.bytes_billed_max)
    CORS_ORIGINS                = join(",", sort(var.cors_origins))
    DATA_BASE_URL               = "https://${var.hosts.data}"
    ENVIRONMENT                 = var.environment
    EXPORT_BUCKET               = local.buckets.exports
    FIRESTORE_DATABASE          = var.databases.main
    FIRESTORE_USAGE_DATABASE    = var.databases.usage
    GOOGLE_CLOUD_PROJECT        = var.project_id
    INTERACTIVE_BYTES_MAX       = tostring(var.interactive_bytes_max)
    LANDINGS_TOPIC              = local.landings_topic
    LANDING_BUCKET              = local.buckets.landing
    MEASUREMENTS_TOPIC          = local.published_topics.measurements
    OTEL_EXPORTER_OTLP_ENDPOINT = var.traces.endpoint
    OTEL_TRACES_SAMPLER_ARG     = tostring(var.traces.share)
    QUERY_PRICE_CURRENCY        = var.query_price.currency
    QUERY_PRICE_PER_TIB         = tostring(var.query_price.per_tib)
    QUEUE                       = local.queue.name
    QUEUE_REGION                = local.queue.region
    QUEUE_SERVICE_ACCOUNT       = local.queue.email
    RATE_BURST                  = tostring(var.rate.burst)
    RATE_PER_SECOND             = tostring(var.rate.per_second)
    REGION                      = var.region
    TICK_SECONDS                = tostring(local.schedules["realtime-refresh"].every_seconds)
    TOPIC                       = local.topic
    USERS_BASE_URL              = "https://${var.hosts.users}"
  }

  # Variables that the runtime and packages read, not the service's code.
  platform_variables = {
    # The framework would rewrite every log line to add its own id. Our lines already carry the request's id and its trace.
    LOG_EXECUTION_ID = "false"
    # Without this, Google's clients first probe for a metadata server (https://github.com/googleapis/gcp-metadata#environment-variables).
    METADATA_SERVER_DETECTION = "assume-present"
  }

  # `npm run admin` expects {project}-exports.
  buckets = { for purpose in ["console", "exports", "function_sources", "landing", "logs"] : purpose => "${var.project_id}-${replace(purpose, "_", "-")}" }
}
