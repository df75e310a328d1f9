# The queue limits the rate at which jobs start. A task is one publish call to the topic, so it waits for Pub/Sub, not for the job.
resource "google_cloud_tasks_queue" "jobs" {
  project  = var.project_id
  location = var.queue_region
  name     = var.queue.name

  rate_limits {
    max_dispatches_per_second = var.queue.dispatches_per_second
    max_concurrent_dispatches = var.queue.concurrent_dispatches
  }

  # A failed publish call is retried for an hour. The sweeper finds the job after that (and before, once it is untouched for 5 minutes).
  retry_config {
    max_attempts       = -1
    max_retry_duration = "3600s"
    min_backoff        = "1s"
    max_backoff        = "60s"
    max_doublings      = 6
  }

  # Google omits a share of 0 from its answers, and Terraform would see a change each time.
  dynamic "stackdriver_logging_config" {
    for_each = var.queue.logged_share > 0 ? [var.queue.logged_share] : []
    content {
      sampling_ratio = stackdriver_logging_config.value
    }
  }
}

# Tasks publish as this account.
resource "google_service_account" "queue" {
  project      = var.project_id
  account_id   = var.queue.account_id
  display_name = "Tasks of the queue ${var.queue.name}"
}

# A policy refuses an account that was created a moment ago, and the provider does not repeat that.
resource "time_sleep" "created" {
  create_duration = "60s"
  triggers        = { account = google_service_account.queue.unique_id }
}

resource "google_pubsub_topic_iam_member" "queue" {
  for_each = var.members.queue_topic

  project = var.project_id
  topic   = google_pubsub_topic.topic[each.key].name
  role    = each.value.role
  member  = each.value.member

  depends_on = [time_sleep.created]
}
