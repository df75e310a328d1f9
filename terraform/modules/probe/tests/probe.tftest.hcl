# The jobs that try a customer's journey, from two regions.
mock_provider "google" {}
mock_provider "time" {}

variables {
  image        = "europe-north1-docker.pkg.dev/populus-prod/functions/functions@sha256:abc"
  project_id   = "populus-prod"
  queue_region = "europe-west1"
}

run "planned" {
  command = plan
  variables {
    probe_regions = ["europe-north1", "us-east1"]
  }
  module {
    source = "../environment-plan/tests/production"
  }
}

run "each_region_has_its_job_and_its_schedule" {
  command = apply
  variables {
    members = { for kind in ["probe_job", "probe_secret"] : kind => run.planned.plan.members[kind] }
    probe   = run.planned.plan.probe
  }

  assert {
    condition = { for name, one in google_cloud_run_v2_job.probe : name => one.location } == {
      probe-endpoints             = "europe-north1"
      probe-journey-europe-north1 = "europe-north1"
      probe-journey-us-east1      = "us-east1"
    }
    error_message = jsonencode({ for name, one in google_cloud_run_v2_job.probe : name => one.location })
  }
  assert {
    condition = { for name, one in google_cloud_scheduler_job.probe : name => [one.schedule, one.region, one.http_target[0].uri] } == {
      for name, job in google_cloud_run_v2_job.probe : name => [
        startswith(name, "probe-journey-") ? "*/5 * * * *" : "17 * * * *", "europe-west1",
        "https://run.googleapis.com/v2/projects/populus-prod/locations/${job.location}/jobs/${job.name}:run",
      ]
    }
    error_message = jsonencode(google_cloud_scheduler_job.probe)
  }
  assert {
    condition     = output.jobs == { europe-north1 = "probe-journey-europe-north1", us-east1 = "probe-journey-us-east1" }
    error_message = jsonencode(output.jobs)
  }
}

run "a_job_runs_as_an_account_that_reads_the_key_and_is_started_by_one_that_does_not" {
  command = plan
  variables {
    members = { for kind in ["probe_job", "probe_secret"] : kind => run.planned.plan.members[kind] }
    probe   = run.planned.plan.probe
  }

  assert {
    condition = alltrue([
      for job in google_cloud_run_v2_job.probe : (
        job.template[0].template[0].service_account == google_service_account.probe["runner"].email && job.template[0].template[0].max_retries == 0
        && job.template[0].template[0].containers[0].image == var.image
        && one(job.template[0].template[0].containers[0].env).value_source[0].secret_key_ref[0].secret == "probe-key"
      )
    ])
    error_message = jsonencode(google_cloud_run_v2_job.probe)
  }
  # The key itself is in no argument and no variable.
  assert {
    condition     = alltrue([for job in google_cloud_run_v2_job.probe : one(job.template[0].template[0].containers[0].env).value == null])
    error_message = "A key would be in Terraform's state."
  }
  assert {
    condition     = alltrue([for one in google_cloud_scheduler_job.probe : one.http_target[0].oauth_token[0].service_account_email == google_service_account.probe["caller"].email])
    error_message = "A schedule starts its job as another account."
  }
  assert {
    condition     = [for one in google_secret_manager_secret_iam_member.key : [one.secret_id, one.role, one.member]] == [["probe-key", "roles/secretmanager.secretAccessor", "serviceAccount:${run.planned.plan.probe.runner.email}"]]
    error_message = jsonencode(google_secret_manager_secret_iam_member.key)
  }
  assert {
    condition     = alltrue([for one in google_cloud_run_v2_job_iam_member.caller : one.role == "roles/run.invoker" && one.member == "serviceAccount:${run.planned.plan.probe.caller.email}"]) && length(google_cloud_run_v2_job_iam_member.caller) == 3
    error_message = jsonencode(google_cloud_run_v2_job_iam_member.caller)
  }
}
