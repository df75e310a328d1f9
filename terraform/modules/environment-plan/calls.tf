# What calls workers and scheduled functions: a push subscription or a schedule, as the account that is the function's invoker.
locals {
  # The topic that the queue's tasks publish to.
  topic = module.catalogue.workers["aggregation-run"].topic

  # The topics that functions publish to.
  published_topics = { jobs = local.topic, measurements = module.catalogue.workers["realtime-measure"].topic }

  # The topic that the landing bucket notifies.
  landings_topic = module.catalogue.workers["loading-import"].topic

  queue = {
    account_id = module.accounts.platform.queue
    email      = local.emails[module.accounts.platform.queue]
    name       = var.queue_name
    region     = var.queue_region
  }

  workers = {
    for name, one in module.catalogue.workers : name => { caller = local.callers[name], dead_letters = one.dead_letters, topic = one.topic }
  }

  schedules = {
    for name, one in module.catalogue.schedules : name => {
      caller          = local.callers[name]
      cron            = one.cron
      every_seconds   = one.every_seconds
      timeout_seconds = one.timeout_seconds
    }
  }

  dead_letters = { for name, one in local.workers : name => one.dead_letters.topic if one.dead_letters != null }
  topics = {
    of_workers      = toset([for one in values(local.workers) : one.topic])
    of_dead_letters = toset(values(local.dead_letters))
  }
}
