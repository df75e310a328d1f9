output "granted" {
  description = "Number of members that this module adds to policies, by kind of resource. Known once all are added."
  value       = { for kind, members in var.members : kind => length(members) }

  depends_on = [
    google_bigquery_table_iam_member.function,
    google_cloud_tasks_queue_iam_member.function,
    google_project_iam_member.function,
    google_pubsub_topic_iam_member.function,
    google_service_account_iam_member.function,
    google_storage_bucket_iam_member.function,
  ]
}
