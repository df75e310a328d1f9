# Topics, those of dead letters among them. Messages hold ids of jobs and nothing of a customer; they stay in the region all the same.
locals {
  dead_letters = { for name, worker in var.workers : name => worker.dead_letters if worker.dead_letters != null }
  topics = {
    of_workers      = toset([for worker in values(var.workers) : worker.topic])
    of_dead_letters = toset([for letters in values(local.dead_letters) : letters.topic])
  }

  # What Google's own services act as in this project. `scripts/bootstrap` asks for Pub/Sub's account, which else comes to be when it is first needed.
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

# A topic of dead letters that calls no function would drop what reaches it: there operators pull.
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

# Pub/Sub moves a message to the dead letters as its own account: it publishes there, and acknowledges where the message comes from.
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
