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
    environment_variables            = var.environment_variables
    ingress_settings                 = var.ingress
    max_instance_count               = var.kind.instances
    max_instance_request_concurrency = var.kind.concurrency
    min_instance_count               = 0
    service_account_email            = google_service_account.function.email
    timeout_seconds                  = var.kind.timeout_seconds
    all_traffic_on_latest_revision   = true
  }
}
