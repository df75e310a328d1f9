# The probes: the smoke test of the one image, on a schedule, with a key of its own that only reads. An uptime check would keep the key in its header, and so
# in Terraform's state; a job reads it from Secret Manager when it starts.
locals {
  probe_regions = sort(var.probe.regions)

  # In each region a customer's journey every five minutes; in one of them every endpoint once an hour.
  probe_jobs = merge(
    {
      for region in local.probe_regions : "journey-${region}" => {
        args   = ["--journey", "--objects", "https://storage.googleapis.com/storage/v1/b/${local.buckets.exports}/o"]
        cron   = "*/5 * * * *"
        region = region
      }
    },
    { for region in slice(local.probe_regions, 0, min(1, length(local.probe_regions))) : "endpoints" => { args = [], cron = "17 * * * *", region = region } },
  )

  probe = {
    caller = { account_id = module.accounts.platform.probe_caller, email = local.emails[module.accounts.platform.probe_caller] }
    jobs = {
      for name, one in local.probe_jobs : "probe-${name}" => merge(one, {
        args = concat(["smoke.cjs", "--users", "https://${var.hosts.users}", "--data", "https://${var.hosts.data}"], one.args)
      })
    }
    runner = { account_id = module.accounts.platform.probe, email = local.emails[module.accounts.platform.probe] }
    secret = var.probe.secret
  }

  # The runner reads the key and nothing else; the caller starts the jobs and nothing else.
  of_probes = {
    probe_job    = { for name, one in local.probe.jobs : name => { member = "serviceAccount:${local.probe.caller.email}", name = one.region, role = "roles/run.invoker" } }
    probe_secret = { for one in length(local.probe_regions) > 0 ? [var.probe.secret] : [] : one => { member = "serviceAccount:${local.probe.runner.email}", name = one, role = "roles/secretmanager.secretAccessor" } }
  }
}
