# Service accounts: one per function, one caller for each worker and each scheduled function, and those of the platform. An id has at most 30
# characters. A longer one is cut and ends in a part of its hash, so that it does not change when functions are added or removed.
locals {
  long_ids = {
    functions = { for name in var.functions : name => "fn-${name}" }
    callers   = { for name in var.called : name => "call-${name}" }
  }

  # The account that builds functions, the one as which the provider's loads run, those as which probes run and are started, the one as which the queue's
  # tasks publish, and the one as which the provider's deliveries are uploaded.
  platform_ids = { builds = "function-builds", loader = "loader", probe = "probe-runner", probe_caller = "probe-caller", queue = "task-queue", uploader = "uploader" }

  ids = {
    for kind, ids in local.long_ids : kind => {
      for name, id in ids : name => length(id) <= 30 ? id : "${trimsuffix(substr(id, 0, 23), "-")}-${substr(sha256(id), 0, 6)}"
    }
  }
}
