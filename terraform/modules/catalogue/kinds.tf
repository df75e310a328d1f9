# The one table of how functions run. What a kind is: functions.tf. An environment changes single cells by `var.sizing`.
#
# Idle costs nothing: no kind keeps an instance. Instances times CPU and memory stay within what Cloud Run allows a service in a project whose quota
# nobody has raised, 20 vCPU and 40 GiB (CpuAllocPerProjectRegion, https://cloud.google.com/run/quotas); beyond, a deployment is refused.
#
# Startup CPU boost has no column, because the Cloud Functions API has no field for it. It is said to set run.googleapis.com/startup-cpu-boost on the
# services that it makes, unasked: not verified here, `gcloud run services describe NAME --format export` shows it. If it does not, the way out is
# google_cloud_run_v2_service, which builds from source too (build_config) and has startup_cpu_boost and invoker_iam_disabled:
# https://cloud.google.com/run/docs/configuring/services/cpu#startup-boost
locals {
  kinds = {
    for name, kind in local.default_kinds : name => merge(kind, { for cell, value in try(var.sizing[name], {}) : cell => value if value != null })
  }

  default_kinds = {
    # Answers from Firestore, or from one small query. `serve` gives up after 50 s, before the platform would cut it off.
    endpoint = { instances = 20, concurrency = 40, cpu = "1", memory = "512Mi", timeout_seconds = 60 }
    # Waits for a query of the warehouse and holds its rows while it answers.
    preview = { instances = 20, concurrency = 20, cpu = "1", memory = "1Gi", timeout_seconds = 60 }
    # Waits up to 20 s for the warehouse, then hands over to the next step; the time beyond is for the files of an export.
    worker = { instances = 20, concurrency = 20, cpu = "1", memory = "1Gi", timeout_seconds = 300 }
    # One run at a time on an instance; the second instance is for a run that meets the one before it. A tick waits up to 240 s for its query.
    schedule = { instances = 2, concurrency = 1, cpu = "1", memory = "1Gi", timeout_seconds = 540 }
  }
}
