# Each worker has its own push subscription, with an account that may call only this worker. Pub/Sub and Cloud Scheduler
# reach functions with internal ingress if they are in the same project and use the run.app URL:
# https://cloud.google.com/run/docs/securing/ingress#settings
resource "google_service_account" "caller" {
  for_each = var.callers

  project      = var.project_id
  account_id   = each.value
  display_name = "Calls the function ${each.key}, and nothing else"
}

resource "google_pubsub_subscription" "worker" {
  for_each = var.workers

  project                    = var.project_id
  name                       = each.key
  topic                      = google_pubsub_topic.topic[each.value.topic].id
  labels                     = merge(var.labels, { function = each.key })
  ack_deadline_seconds       = 600
  message_retention_duration = "604800s"

  push_config {
    # The functions framework reads the topic from the path. Without it, it logs two lines of text for each message.
    push_endpoint = "${each.value.url}/projects/${var.project_id}/topics/${each.value.topic}"

    oidc_token {
      service_account_email = each.value.caller
      audience              = each.value.url
    }
  }

  retry_policy {
    minimum_backoff = "${try(each.value.dead_letters.minimum_backoff_seconds, 10)}s"
    maximum_backoff = "${try(each.value.dead_letters.maximum_backoff_seconds, 600)}s"
  }

  # The maximum comes from the function's definition. Without one, as for dead letters, delivery is retried until the message expires.
  dynamic "dead_letter_policy" {
    for_each = each.value.dead_letters == null ? [] : [each.value.dead_letters]
    iterator = letters
    content {
      dead_letter_topic     = google_pubsub_topic.topic[letters.value.topic].id
      max_delivery_attempts = letters.value.max_delivery_attempts
    }
  }

  expiration_policy {
    ttl = ""
  }

  depends_on = [google_service_account_iam_member.push, var.ready]
}

resource "google_service_account_iam_member" "push" {
  for_each = var.members.caller

  service_account_id = google_service_account.caller[each.key].name
  role               = each.value.role
  member             = each.value.member
}
