# Topics, the queue and the schedules, and who calls which function.
mock_provider "google" {}
mock_provider "time" {}

variables {
  project_id   = "populus-prod"
  queue_region = "europe-west1"
  region       = "europe-north1"
}

run "planned" {
  command = plan
  module {
    source = "../environment-plan/tests/production"
  }
}

run "each_worker_is_called_by_an_account_of_its_own" {
  command = plan
  variables {
    callers   = run.planned.plan.account_ids.callers
    members   = { for kind in ["caller", "dead_letter_subscription", "dead_letter_topic", "queue_topic"] : kind => run.planned.plan.members[kind] }
    queue     = run.planned.plan.queue
    schedules = { for name, one in run.planned.plan.schedules : name => merge(one, { url = "https://${name}.example.run.app" }) }
    topics    = run.planned.plan.topics
    workers   = { for name, one in run.planned.plan.workers : name => merge(one, { url = "https://${name}.example.run.app" }) }
  }

  assert {
    condition = { for name, one in google_pubsub_subscription.worker : name => [one.push_config[0].push_endpoint, one.push_config[0].oidc_token[0].audience, one.push_config[0].oidc_token[0].service_account_email] } == {
      for name, one in run.planned.plan.workers : name => ["https://${name}.example.run.app/projects/populus-prod/topics/${one.topic}", "https://${name}.example.run.app", "${google_service_account.caller[name].account_id}@populus-prod.iam.gserviceaccount.com"]
    }
    error_message = jsonencode(google_pubsub_subscription.worker)
  }
  # A subscription that expires would lose its messages after a quiet month.
  assert {
    condition     = alltrue([for one in concat(values(google_pubsub_subscription.worker), values(google_pubsub_subscription.unread)) : one.expiration_policy[0].ttl == ""])
    error_message = "A subscription expires."
  }
  assert {
    condition     = { for name, one in google_pubsub_subscription.worker : name => [for letters in one.dead_letter_policy : letters.max_delivery_attempts] } == { for name, one in run.planned.plan.workers : name => [for letters in [one.dead_letters] : letters.max_delivery_attempts if letters != null] }
    error_message = jsonencode({ for name, one in google_pubsub_subscription.worker : name => one.dead_letter_policy })
  }
  assert {
    condition     = google_pubsub_subscription.worker["aggregation-run"].dead_letter_policy[0].max_delivery_attempts == 40
    error_message = "Jobs that cannot be processed would be tried until their messages expire."
  }
  assert {
    condition     = alltrue([for one in google_pubsub_topic.topic : one.message_storage_policy[0].allowed_persistence_regions == toset(["europe-north1"])])
    error_message = "Messages leave the region."
  }
}

run "each_scheduled_function_is_called_as_it_says" {
  command = plan
  variables {
    callers   = run.planned.plan.account_ids.callers
    members   = { for kind in ["caller", "dead_letter_subscription", "dead_letter_topic", "queue_topic"] : kind => run.planned.plan.members[kind] }
    queue     = run.planned.plan.queue
    schedules = { for name, one in run.planned.plan.schedules : name => merge(one, { url = "https://${name}.example.run.app" }) }
    topics    = run.planned.plan.topics
    workers   = { for name, one in run.planned.plan.workers : name => merge(one, { url = "https://${name}.example.run.app" }) }
  }

  assert {
    condition = { for name, one in google_cloud_scheduler_job.schedule : name => [one.schedule, one.time_zone, one.region, one.attempt_deadline, one.http_target[0].oidc_token[0].audience] } == {
      for name, one in run.planned.plan.schedules : name => [one.cron, "Etc/UTC", "europe-west1", "${one.timeout_seconds}s", "https://${name}.example.run.app"]
    }
    error_message = jsonencode(google_cloud_scheduler_job.schedule)
  }
  assert {
    condition     = google_cloud_scheduler_job.schedule["realtime-refresh"].schedule == "*/5 * * * *" && google_cloud_scheduler_job.schedule["realtime-refresh"].retry_config[0].retry_count == 3
    error_message = jsonencode(google_cloud_scheduler_job.schedule["realtime-refresh"])
  }
  assert {
    condition     = google_cloud_tasks_queue.jobs.name == "aggregations" && google_cloud_tasks_queue.jobs.retry_config[0].max_retry_duration == "3600s" && length(google_cloud_tasks_queue.jobs.stackdriver_logging_config) == 0
    error_message = jsonencode(google_cloud_tasks_queue.jobs)
  }
  # Tasks publish as the queue's account, and Pub/Sub calls and gives up as its own.
  assert {
    condition     = alltrue([for one in concat(values(google_service_account_iam_member.push), values(google_pubsub_topic_iam_member.dead_letters), values(google_pubsub_subscription_iam_member.dead_letters)) : one.member == "serviceAccount:service-123456789@gcp-sa-pubsub.iam.gserviceaccount.com"])
    error_message = "Somebody else than Pub/Sub calls workers."
  }
}

run "a_queue_that_google_refuses_is_refused_here" {
  command = plan
  variables {
    callers   = {}
    members   = { caller = {}, dead_letter_subscription = {}, dead_letter_topic = {}, queue_topic = {} }
    queue     = { account_id = "queue-account", name = "aggregations", concurrent_dispatches = 0, dispatches_per_second = 501, logged_share = 2 }
    schedules = {}
    topics    = { of_dead_letters = [], of_workers = [] }
    workers   = {}
  }
  expect_failures = [var.queue]
}
