# Topics, including those of dead letters. Messages hold job ids and no customer data. They stay in the region nevertheless.
resource "google_pubsub_topic" "topic" {
  for_each = setunion(var.topics.of_workers, var.topics.of_dead_letters)

  project = var.project_id
  name    = each.key
  labels  = var.labels

  message_storage_policy {
    allowed_persistence_regions = [var.region]
  }
}

# A dead-letter topic without a function would drop its messages. Operators pull them from this subscription.
resource "google_pubsub_subscription" "unread" {
  for_each = setsubtract(var.topics.of_dead_letters, var.topics.of_workers)

  project                    = var.project_id
  name                       = google_pubsub_topic.topic[each.key].name
  topic                      = google_pubsub_topic.topic[each.key].id
  labels                     = var.labels
  ack_deadline_seconds       = 600
  message_retention_duration = "1209600s"

  expiration_policy {
    ttl = ""
  }
}

resource "google_pubsub_topic_iam_member" "dead_letters" {
  for_each = var.members.dead_letter_topic

  project = var.project_id
  topic   = google_pubsub_topic.topic[each.key].name
  role    = each.value.role
  member  = each.value.member
}

resource "google_pubsub_subscription_iam_member" "dead_letters" {
  for_each = var.members.dead_letter_subscription

  project      = var.project_id
  subscription = google_pubsub_subscription.worker[each.key].name
  role         = each.value.role
  member       = each.value.member
}
