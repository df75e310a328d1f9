# The nightly export into another location.
mock_provider "google" {}

variables {
  project_id      = "populus-prod"
  schedule_region = "europe-west1"
}

run "planned" {
  command = plan
  variables {
    firestore_export = { kms_key = "projects/keys/locations/europe-west4/keyRings/populus/cryptoKeys/exports", location = "europe-west4" }
  }
  module {
    source = "../environment-plan/tests/production"
  }
}

run "every_night_the_main_database_is_exported_elsewhere" {
  command = apply
  variables {
    export  = run.planned.plan.firestore_export
    members = { for kind in ["nightly_bucket", "nightly_project"] : kind => run.planned.plan.members[kind] }
  }

  assert {
    condition     = google_cloud_scheduler_job.export.schedule == "17 2 * * *" && google_cloud_scheduler_job.export.http_target[0].uri == "https://firestore.googleapis.com/v1/projects/populus-prod/databases/(default):exportDocuments"
    error_message = jsonencode(google_cloud_scheduler_job.export.http_target)
  }
  assert {
    condition     = jsondecode(base64decode(google_cloud_scheduler_job.export.http_target[0].body)) == { outputUriPrefix = "gs://populus-prod-firestore-export" } && google_storage_bucket.export.location == "europe-west4"
    error_message = base64decode(google_cloud_scheduler_job.export.http_target[0].body)
  }
  assert {
    condition     = google_cloud_scheduler_job.export.http_target[0].oauth_token[0].service_account_email == google_service_account.export.email
    error_message = "The export runs as another account."
  }
  assert {
    condition = [for one in concat(values(google_project_iam_member.export), values(google_storage_bucket_iam_member.export)) : [one.role, one.member]] == [
      for role in ["roles/datastore.importExportAdmin", "roles/storage.admin"] : [role, "serviceAccount:firestore-export@populus-prod.iam.gserviceaccount.com"]
    ]
    error_message = "The account has other roles."
  }
}

run "what_a_deletion_took_is_gone_from_exports_after_their_days" {
  command = plan
  variables {
    export  = run.planned.plan.firestore_export
    members = { for kind in ["nightly_bucket", "nightly_project"] : kind => run.planned.plan.members[kind] }
  }

  assert {
    condition     = [for rule in google_storage_bucket.export.lifecycle_rule : [one(rule.action).type, one(rule.condition).age]] == [["Delete", 3]] && google_storage_bucket.export.soft_delete_policy[0].retention_duration_seconds == 0 && !google_storage_bucket.export.versioning[0].enabled
    error_message = jsonencode(google_storage_bucket.export)
  }
  assert {
    condition     = google_storage_bucket.export.public_access_prevention == "enforced" && google_storage_bucket.export.encryption[0].default_kms_key_name == "projects/keys/locations/europe-west4/keyRings/populus/cryptoKeys/exports" && !google_storage_bucket.export.force_destroy
    error_message = jsonencode(google_storage_bucket.export)
  }
}

run "editors_and_viewers_of_the_project_have_no_bucket" {
  command = plan
  variables {
    export  = run.planned.plan.firestore_export
    members = { for kind in ["nightly_bucket", "nightly_project"] : kind => run.planned.plan.members[kind] }
  }

  assert {
    condition = toset([for one in values(google_storage_bucket_iam_binding.export) : "${one.bucket} ${one.role} ${join(" ", one.members)}"]) == toset([
      for pair in setproduct([google_storage_bucket.export.name], ["legacyBucketOwner", "legacyBucketReader", "legacyObjectOwner", "legacyObjectReader"]) : "${pair[0]} roles/storage.${pair[1]} projectOwner:populus-prod"
    ])
    error_message = jsonencode([for one in values(google_storage_bucket_iam_binding.export) : [one.bucket, one.role, one.members]])
  }
}
