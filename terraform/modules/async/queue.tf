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

# Tasks publish as this account. It has no other permission.
resource "google_service_account" "queue" {
  project      = var.project_id
  account_id   = "task-queue"
  display_name = "Tasks of the queue ${var.queue.name}"
}

resource "google_pubsub_topic_iam_member" "queue" {
  project = var.project_id
  topic   = google_pubsub_topic.topic[var.topic].name
  role    = "roles/pubsub.publisher"
  member  = google_service_account.queue.member
}
