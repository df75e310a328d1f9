# The bucket in which raw counts arrive.
mock_provider "google" {}

variables {
  name        = "populus-prod-landing"
  project_id  = "populus-prod"
  region      = "europe-north1"
  topic       = "projects/populus-prod/topics/landings"
  uploader_id = "uploader"
  members     = { landing_bucket = {}, landing_topic = {}, uploader_account = {} }
}

run "planned" {
  command = plan
  variables {
    people = ["group:provider@example.com"]
  }
  module {
    source = "../environment-plan/tests/production"
  }
}

run "nobody_has_it_but_the_uploader_the_loader_and_the_import" {
  command = plan
  variables {
    members = { for kind in ["landing_bucket", "landing_topic", "uploader_account"] : kind => run.planned.plan.members[kind] }
  }

  assert {
    condition     = google_storage_bucket.landing.public_access_prevention == "enforced" && google_storage_bucket.landing.uniform_bucket_level_access
    error_message = "Raw counts could be public."
  }
  assert {
    condition = toset([for one in google_storage_bucket_iam_member.landing : "${one.member} ${one.role}"]) == toset([
      "serviceAccount:fn-loading-import@populus-prod.iam.gserviceaccount.com roles/storage.objectUser",
      "serviceAccount:loader@populus-prod.iam.gserviceaccount.com roles/storage.objectUser",
      "serviceAccount:uploader@populus-prod.iam.gserviceaccount.com roles/storage.objectCreator",
    ])
    error_message = jsonencode([for one in google_storage_bucket_iam_member.landing : "${one.member} ${one.role}"])
  }
  assert {
    condition     = [for one in google_service_account_iam_member.uploader : [one.member, one.role]] == [["group:provider@example.com", "roles/iam.serviceAccountTokenCreator"]]
    error_message = jsonencode([for one in google_service_account_iam_member.uploader : [one.member, one.role]])
  }
}

run "what_arrives_is_gone_after_two_weeks_and_cannot_be_restored" {
  command = plan

  assert {
    condition     = google_storage_bucket.landing.soft_delete_policy[0].retention_duration_seconds == 0 && !google_storage_bucket.landing.versioning[0].enabled
    error_message = "Deleted raw counts could be restored."
  }
  assert {
    condition     = toset([for rule in google_storage_bucket.landing.lifecycle_rule : "${one(rule.action).type} ${one(rule.condition).age}"]) == toset(["Delete 14", "AbortIncompleteMultipartUpload 1"])
    error_message = jsonencode(google_storage_bucket.landing.lifecycle_rule)
  }
  assert {
    condition     = google_storage_bucket.landing.force_destroy == false
    error_message = "A protected bucket that holds something refuses to be deleted."
  }
}

run "each_object_under_landing_is_notified_to_the_topic_as_storages_own_account" {
  command = plan
  variables {
    members = { for kind in ["landing_bucket", "landing_topic", "uploader_account"] : kind => run.planned.plan.members[kind] }
  }

  assert {
    condition     = google_storage_notification.landing.event_types == toset(["OBJECT_FINALIZE"]) && google_storage_notification.landing.object_name_prefix == "landing/" && google_storage_notification.landing.topic == var.topic
    error_message = jsonencode(google_storage_notification.landing)
  }
  assert {
    condition     = [for one in google_pubsub_topic_iam_member.notifier : [one.member, one.role]] == [["serviceAccount:service-123456789@gs-project-accounts.iam.gserviceaccount.com", "roles/pubsub.publisher"]]
    error_message = jsonencode([for one in google_pubsub_topic_iam_member.notifier : [one.member, one.role]])
  }
}

run "raw_counts_that_would_stay_for_longer_and_a_topic_by_its_short_name_are_refused" {
  command = plan
  variables {
    retention_days = 15
    topic          = "landings"
  }
  expect_failures = [var.retention_days, var.topic]
}

run "editors_and_viewers_of_the_project_have_no_bucket" {
  command = plan

  assert {
    condition = toset([for one in values(google_storage_bucket_iam_binding.landing) : "${one.bucket} ${one.role} ${join(" ", one.members)}"]) == toset([
      for pair in setproduct([google_storage_bucket.landing.name], ["legacyBucketOwner", "legacyBucketReader", "legacyObjectOwner", "legacyObjectReader"]) : "${pair[0]} roles/storage.${pair[1]} projectOwner:populus-prod"
    ])
    error_message = jsonencode([for one in values(google_storage_bucket_iam_binding.landing) : [one.bucket, one.role, one.members]])
  }
}
