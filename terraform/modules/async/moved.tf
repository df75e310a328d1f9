# For environments that were created before members had keys.
moved {
  from = google_pubsub_topic_iam_member.queue
  to   = google_pubsub_topic_iam_member.queue["aggregations"]
}
