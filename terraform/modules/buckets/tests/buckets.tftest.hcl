# Exports, archives and logs.
mock_provider "google" {}

variables {
  names      = { exports = "populus-prod-exports", function_sources = "populus-prod-function-sources", logs = "populus-prod-logs" }
  project_id = "populus-prod"
  region     = "europe-north1"
}

run "no_bucket_is_public_or_deleted_with_what_it_holds" {
  command = plan
  variables {
    is_protected = true
    kms_key      = "projects/keys/locations/europe-north1/keyRings/populus/cryptoKeys/stores"
  }

  assert {
    condition = alltrue([
      for one in [google_storage_bucket.exports, google_storage_bucket.function_sources, google_storage_bucket.logs] : (
        one.public_access_prevention == "enforced" && one.uniform_bucket_level_access && !one.force_destroy && one.location == "europe-north1"
        && one.encryption[0].default_kms_key_name == "projects/keys/locations/europe-north1/keyRings/populus/cryptoKeys/stores"
      )
    ])
    error_message = "A bucket could be public, or go with its files."
  }
  # Nobody can change or remove a log before its retention ends, and then it goes.
  assert {
    condition     = tonumber(google_storage_bucket.logs.retention_policy[0].retention_period) == 400 * 86400 && toset([for rule in google_storage_bucket.logs.lifecycle_rule : "${one(rule.action).type} ${one(rule.condition).age}"]) == toset(["SetStorageClass 30", "Delete 401"])
    error_message = jsonencode(google_storage_bucket.logs)
  }
}

run "a_customers_deletion_leaves_no_file_and_a_job_keeps_its_files" {
  command = plan

  assert {
    condition     = google_storage_bucket.exports.soft_delete_policy[0].retention_duration_seconds == 0 && !google_storage_bucket.exports.versioning[0].enabled
    error_message = "Deleted exports could be restored."
  }
  assert {
    condition     = [for rule in google_storage_bucket.exports.lifecycle_rule : [one(rule.condition).age, one(rule.condition).matches_prefix] if one(rule.action).type == "Delete"] == [[32, tolist(["results/"])]]
    error_message = jsonencode(google_storage_bucket.exports.lifecycle_rule)
  }
}

run "only_named_pages_read_exports_in_a_browser" {
  command = plan
  variables {
    cors = { headers = ["Content-Range"], max_age_seconds = 600, methods = ["GET"], origins = ["https://users.example.com", "https://maps.example.com"] }
  }

  assert {
    condition     = google_storage_bucket.exports.cors[0].origin == tolist(["https://maps.example.com", "https://users.example.com"]) && google_storage_bucket.exports.cors[0].method == tolist(["GET"]) && length(google_storage_bucket.logs.cors) == 0
    error_message = jsonencode(google_storage_bucket.exports.cors)
  }
}

run "without_origins_no_page_does" {
  command = plan

  assert {
    condition     = length(google_storage_bucket.exports.cors) == 0
    error_message = jsonencode(google_storage_bucket.exports.cors)
  }
}

run "what_would_lose_files_or_open_them_is_refused" {
  command = plan
  variables {
    cors                  = { headers = [], max_age_seconds = 0, methods = ["DELETE"], origins = ["*"] }
    kms_key               = "stores"
    log_retention_days    = 7
    names                 = { exports = "Populus", function_sources = "populus-prod-function-sources", logs = "populus-prod-logs" }
    region                = "Finland"
    result_retention_days = 7
  }
  expect_failures = [var.cors, var.kms_key, var.log_retention_days, var.names, var.region, var.result_retention_days]
}

run "editors_and_viewers_of_the_project_have_no_bucket" {
  command = plan

  assert {
    condition = toset([for one in concat(values(google_storage_bucket_iam_binding.exports), values(google_storage_bucket_iam_binding.function_sources), values(google_storage_bucket_iam_binding.logs)) : "${one.bucket} ${one.role} ${join(" ", one.members)}"]) == toset([
      for pair in setproduct([google_storage_bucket.exports.name, google_storage_bucket.function_sources.name, google_storage_bucket.logs.name], ["legacyBucketOwner", "legacyBucketReader", "legacyObjectOwner", "legacyObjectReader"]) : "${pair[0]} roles/storage.${pair[1]} projectOwner:populus-prod"
    ])
    error_message = jsonencode([for one in concat(values(google_storage_bucket_iam_binding.exports), values(google_storage_bucket_iam_binding.function_sources), values(google_storage_bucket_iam_binding.logs)) : [one.bucket, one.role, one.members]])
  }
}
