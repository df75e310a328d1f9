output "callers" {
  description = "Emails of the accounts that may call each worker and each scheduled function."
  value       = { for name, account in google_service_account.caller : name => account.email }
}

output "dead_letter_subscriptions" {
  description = "Subscriptions from which operators pull dead letters, by topic: those of topics without a function."
  value       = { for topic, subscription in google_pubsub_subscription.unread : topic => subscription.name }
}

output "queue" {
  description = "The queue's name, its region, and the account (projects/…/serviceAccounts/…) as which its tasks publish."
  value = {
    account = google_service_account.queue.name
    name    = google_cloud_tasks_queue.jobs.name
    region  = google_cloud_tasks_queue.jobs.location
  }
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
