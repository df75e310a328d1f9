# Topics, including those of dead letters. Messages hold job ids and no customer data. They stay in the region nevertheless.
locals {
  dead_letters = { for name, worker in var.workers : name => worker.dead_letters if worker.dead_letters != null }
  topics = {
    of_workers      = toset([for worker in values(var.workers) : worker.topic])
    of_dead_letters = toset([for letters in values(local.dead_letters) : letters.topic])
  }

  # Service agents of this project. `scripts/bootstrap` creates Pub/Sub's, which otherwise appears when it is first needed.
  pubsub = "serviceAccount:service-${var.project_number}@gcp-sa-pubsub.iam.gserviceaccount.com"
}

resource "google_pubsub_topic" "topic" {
  for_each = setunion(local.topics.of_workers, local.topics.of_dead_letters)

  project = var.project_id
  name    = each.key
  labels  = var.labels

  message_storage_policy {
    allowed_persistence_regions = [var.region]
  }
}

# A dead-letter topic without a function would drop its messages. Operators pull them from this subscription.
resource "google_pubsub_subscription" "unread" {
  for_each = setsubtract(local.topics.of_dead_letters, local.topics.of_workers)

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

# Pub/Sub moves a message to the dead-letter topic as its own account: it publishes there and acknowledges on the source subscription.
# https://cloud.google.com/pubsub/docs/handling-failures#grant_forwarding_permissions
resource "google_pubsub_topic_iam_member" "dead_letters" {
  for_each = local.topics.of_dead_letters

  project = var.project_id
  topic   = google_pubsub_topic.topic[each.key].name
  role    = "roles/pubsub.publisher"
  member  = local.pubsub
}

resource "google_pubsub_subscription_iam_member" "dead_letters" {
  for_each = local.dead_letters

  project      = var.project_id
  subscription = google_pubsub_subscription.worker[each.key].name
  role         = "roles/pubsub.subscriber"
  member       = local.pubsub
}
