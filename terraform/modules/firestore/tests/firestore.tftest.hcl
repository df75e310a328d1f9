# A database with its indexes, rules and backups.
mock_provider "google" {}

variables {
  definitions_folder = "../../../infra"
  location           = "europe-north1"
  project_id         = "populus-prod"
}

run "a_protected_database_survives_terraform_and_mistakes" {
  command = plan
  variables {
    is_protected           = true
    point_in_time_recovery = true
  }

  assert {
    condition     = google_firestore_database.this.delete_protection_state == "DELETE_PROTECTION_ENABLED" && google_firestore_database.this.deletion_policy == "ABANDON" && google_firestore_database.this.point_in_time_recovery_enablement == "POINT_IN_TIME_RECOVERY_ENABLED"
    error_message = jsonencode(google_firestore_database.this)
  }
  assert {
    condition     = { for recurrence, one in google_firestore_backup_schedule.this : recurrence => [one.retention, length(one.daily_recurrence), [for weekly in one.weekly_recurrence : weekly.day]] } == { daily = ["604800s", 1, []], weekly = ["8467200s", 0, ["SUNDAY"]] }
    error_message = jsonencode(google_firestore_backup_schedule.this)
  }
}

run "every_index_and_every_field_of_the_local_database_is_there" {
  command = plan

  assert {
    condition     = length(google_firestore_index.this) == length(jsondecode(file("../../../infra/firestore.indexes.json")).indexes) && length(google_firestore_field.this) == length(jsondecode(file("../../../infra/firestore.indexes.json")).fieldOverrides)
    error_message = "An index got lost, or two have one key."
  }
  assert {
    condition = toset([for one in google_firestore_field.this : "${one.collection} ${one.field}" if length(one.ttl_config) == 1]) == toset([
      for one in jsondecode(file("../../../infra/firestore.indexes.json")).fieldOverrides : "${one.collectionGroup} ${one.fieldPath}" if try(one.ttl, false)
    ])
    error_message = "Documents would not expire."
  }
  # Clients have no access: everything goes through the functions.
  assert {
    condition     = google_firebaserules_release.this.name == "cloud.firestore" && strcontains(one(google_firebaserules_ruleset.this.source[0].files).content, "allow read, write: if false;")
    error_message = google_firebaserules_ruleset.this.source[0].files[0].content
  }
}

run "another_database_has_rules_and_a_key_of_its_own" {
  command = plan
  variables {
    database = "restored"
    kms_key  = "projects/keys/locations/europe-north1/keyRings/populus/cryptoKeys/stores"
  }

  assert {
    condition     = google_firebaserules_release.this.name == "cloud.firestore/restored" && google_firestore_database.this.cmek_config[0].kms_key_name == var.kms_key
    error_message = google_firebaserules_release.this.name
  }
}

run "a_name_or_a_retention_that_google_refuses_is_refused_here" {
  command = plan
  variables {
    backup_retention_days = { daily = 7, weekly = 99 }
    database              = "Restored"
  }
  expect_failures = [var.backup_retention_days, var.database]
}
