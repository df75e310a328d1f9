# How functions run, by kind. functions.tf assigns kinds. An environment overrides single cells with `var.sizing`.
#
# Idle functions cost nothing: no kind keeps an instance (`min_instances` names the few functions that can). Instances times CPU and memory stay within
# Cloud Run's default quota for a service, 20 vCPU and 40 GiB (CpuAllocPerProjectRegion, https://cloud.google.com/run/quotas). Above it, a deployment is
# refused. Each instance starts with more CPU (startup_cpu_boost in modules/function).
locals {
  kinds = {
    for name, kind in local.default_kinds : name => merge(kind, { for cell, value in try(var.sizing[name], {}) : cell => value if value != null })
  }

  default_kinds = {
    # Answers from Firestore, or from one small query. `serve` times out after 50 s, before the platform would abort the request.
    endpoint = { instances = 20, concurrency = 40, cpu = "1", memory = "512Mi", timeout_seconds = 60 }
    # Waits for a warehouse query and holds its rows in memory while it answers.
    preview = { instances = 20, concurrency = 20, cpu = "1", memory = "1Gi", timeout_seconds = 60 }
    # Waits up to 20 s for the warehouse, then hands over to the next step. The remaining time is for the files of an export.
    worker = { instances = 20, concurrency = 20, cpu = "1", memory = "1Gi", timeout_seconds = 300 }
    # Measures one map per delivery. At most five at once: after 1,500 INSERT statements a day into one table, BigQuery runs ten at a time and lets
    # others wait (https://cloud.google.com/bigquery/quotas#dml_statements_quotas). The tick's own statement must not wait behind those of single maps.
    measurement = { instances = 1, concurrency = 5, cpu = "1", memory = "512Mi", timeout_seconds = 120 }
    # Imports days that arrive. One instance, so that loads of a table are published one after the other: of two transactions that change a table at once,
    # BigQuery cancels one. It mostly waits for the warehouse.
    import = { instances = 1, concurrency = 20, cpu = "1", memory = "1Gi", timeout_seconds = 600 }
    # One run at a time per instance. The second instance is for a run that overlaps the previous one. A tick waits up to 240 s for its query.
    schedule = { instances = 2, concurrency = 1, cpu = "1", memory = "1Gi", timeout_seconds = 540 }
  }
}
