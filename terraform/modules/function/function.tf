resource "google_cloudfunctions2_function" "function" {
  project     = var.project_id
  location    = var.region
  name        = var.name
  description = "Built from ${var.entry}"
  labels      = merge(var.labels, { function = var.name, kind = var.kind.name })

  build_config {
    runtime           = var.runtime
    entry_point       = var.name # as `functions/entry.ts` registers it
    docker_repository = var.build.repository
    service_account   = var.build.service_account

    source {
      storage_source {
        bucket = google_storage_bucket_object.source.bucket
        object = google_storage_bucket_object.source.name
      }
    }
  }

  service_config {
    available_cpu                    = var.kind.cpu
    available_memory                 = var.kind.memory
    environment_variables            = merge(local.platform_variables, var.environment_variables)
    ingress_settings                 = var.ingress
    max_instance_count               = var.kind.instances
    max_instance_request_concurrency = var.kind.concurrency
    min_instance_count               = 0
    service_account_email            = google_service_account.function.email
    timeout_seconds                  = var.kind.timeout_seconds
    all_traffic_on_latest_revision   = true
  }
}

locals {
  platform_variables = {
    # The framework would rewrite every log line to add its own id. Our lines already carry the request's id and its trace.
    LOG_EXECUTION_ID = "false"
    # Without this, Google's clients first probe for a metadata server (https://github.com/googleapis/gcp-metadata#environment-variables).
    METADATA_SERVER_DETECTION = "assume-present"
  }
}
