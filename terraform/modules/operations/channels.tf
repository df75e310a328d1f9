resource "google_monitoring_notification_channel" "email" {
  for_each = var.alert_emails

  project      = var.project_id
  display_name = "Operators of Populus ${var.environment}: ${each.key}"
  type         = "email"
  labels       = { email_address = each.key }
  user_labels  = var.labels
}

locals {
  channels = [for email in sort(var.alert_emails) : google_monitoring_notification_channel.email[email].id]

  # Each runbook is a file, which is also the text of its alert.
  runbooks = { for file in fileset("${path.module}/runbooks", "*.md") : trimsuffix(file, ".md") => file("${path.module}/runbooks/${file}") }
}
