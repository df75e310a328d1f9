resource "google_service_account" "probe" {
  for_each = { runner = "Runs the probes", caller = "Starts the probes" }

  project      = var.project_id
  account_id   = var.probe[each.key].account_id
  display_name = each.value
}

# A policy refuses an account that was created a moment ago, and the provider does not repeat that.
resource "time_sleep" "created" {
  create_duration = "60s"
  triggers        = { accounts = sha256(jsonencode(sort([for account in google_service_account.probe : account.unique_id]))) }
}

# The operator creates the secret, so that the key is in no state: terraform/README.md, Probes.
resource "google_secret_manager_secret_iam_member" "key" {
  for_each = var.members.probe_secret

  project   = var.project_id
  secret_id = each.value.name
  role      = each.value.role
  member    = each.value.member

  depends_on = [time_sleep.created]
}

# A run ends with 1 if an answer is wrong. It is not retried: the next one comes in minutes, and a failure counts.
resource "google_cloud_run_v2_job" "probe" {
  for_each = var.probe.jobs

  project             = var.project_id
  location            = each.value.region
  name                = each.key
  labels              = var.labels
  deletion_protection = false # it holds nothing

  template {
    template {
      service_account = google_service_account.probe["runner"].email
      max_retries     = 0
      timeout         = "240s"

      containers {
        image   = var.image
        command = ["node"]
        args    = each.value.args

        env {
          name = "SMOKE_KEY"
          value_source {
            secret_key_ref {
              secret  = var.probe.secret
              version = "latest"
            }
          }
        }

        resources {
          limits = { cpu = "1", memory = "512Mi" }
        }
      }
    }
  }

  depends_on = [google_secret_manager_secret_iam_member.key]
}

resource "google_cloud_run_v2_job_iam_member" "caller" {
  for_each = var.members.probe_job

  project  = var.project_id
  location = each.value.name
  name     = google_cloud_run_v2_job.probe[each.key].name
  role     = each.value.role
  member   = each.value.member
}

# https://cloud.google.com/run/docs/execute/jobs-on-schedule
resource "google_cloud_scheduler_job" "probe" {
  for_each = var.probe.jobs

  project          = var.project_id
  region           = var.queue_region
  name             = each.key
  description      = "Starts the job ${each.key}"
  schedule         = each.value.cron
  time_zone        = "Etc/UTC"
  attempt_deadline = "60s"

  http_target {
    http_method = "POST"
    uri         = "https://run.googleapis.com/v2/projects/${var.project_id}/locations/${each.value.region}/jobs/${google_cloud_run_v2_job.probe[each.key].name}:run"

    oauth_token {
      service_account_email = google_service_account.probe["caller"].email
    }
  }

  depends_on = [google_cloud_run_v2_job_iam_member.caller]
}
