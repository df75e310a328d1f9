# One image holds every function. The command starts the function's own file with the framework that the image holds.
resource "google_cloud_run_v2_service" "function" {
  project             = var.project_id
  location            = var.region
  name                = var.name
  description         = "${var.entry}, started from the image of all functions"
  ingress             = var.ingress
  labels              = merge(var.labels, { function = var.name, kind = var.kind.name, trigger = var.trigger })
  deletion_protection = false # it holds nothing: scripts/deploy makes it again

  # Endpoints authenticate by key. Where the organisation lets no service be without the check, allUsers pass it (modules/environment-plan/functions.tf).
  invoker_iam_disabled = var.invoker == null

  # Of the service, not of a revision: a revision that only a tag leads to keeps no instance.
  scaling {
    min_instance_count = var.kind.min_instances
  }

  template {
    # `scripts/deploy --to COMMIT` finds the revisions of a commit by this label.
    labels                           = { commit = var.commit }
    max_instance_request_concurrency = var.kind.concurrency
    service_account                  = google_service_account.function.email
    timeout                          = "${var.kind.timeout_seconds}s"

    scaling {
      max_instance_count = var.kind.instances
    }

    containers {
      image = var.image
      # V8 allows young objects 2 MiB in a container of 512 MiB, and begins with 1. With 16, 20 requests at a time take 5 to 9 % less CPU, and 25 MiB more.
      command = ["node", "--min-semi-space-size=16", "--max-semi-space-size=16"]
      args    = ["start.cjs", "--target=${var.name}", "--source=${var.name}.cjs"]

      dynamic "env" {
        for_each = var.environment_variables
        content {
          name  = env.key
          value = env.value
        }
      }

      ports {
        container_port = 8080
      }

      resources {
        cpu_idle          = true
        limits            = { cpu = var.kind.cpu, memory = var.kind.memory }
        startup_cpu_boost = true
      }
    }
  }

  # A new service serves its first revision. From then on `scripts/deploy` moves traffic from revision to revision, with gcloud, which leaves its name.
  lifecycle {
    ignore_changes = [client, client_version, traffic]
  }
}
