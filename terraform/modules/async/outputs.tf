output "callers" {
  description = "For each worker and each function of the schedule the one member that may call it."
  value       = { for name, account in google_service_account.caller : name => account.member }
}

output "dead_letter_subscriptions" {
  description = "Subscriptions that operators pull dead letters from, by topic: those of topics that call no function."
  value       = { for topic, subscription in google_pubsub_subscription.unread : topic => subscription.name }
}

output "queue" {
  description = "The queue: its name, its region, and the account (projects/…/serviceAccounts/…) with which its tasks publish."
  value = {
    account = google_service_account.queue.name
    name    = google_cloud_tasks_queue.jobs.name
    region  = google_cloud_tasks_queue.jobs.location
  }
}

output "queue_account_email" {
  description = "Email of the account with which tasks publish."
  value       = google_service_account.queue.email
}

output "queue_name" {
  description = "Name of the queue."
  value       = google_cloud_tasks_queue.jobs.name
}

output "schedules" {
  description = "Names of the scheduler's jobs, by function."
  value       = { for name, job in google_cloud_scheduler_job.schedule : name => job.name }
}

output "subscriptions" {
  description = "Names of the subscriptions that push to workers, by function."
  value       = { for name, subscription in google_pubsub_subscription.worker : name => subscription.name }
}

output "topics" {
  description = "Names of the topics."
  value       = { for name, topic in google_pubsub_topic.topic : name => topic.name }
}
