# The one bucket that is public, with the same files for everybody.
mock_provider "google" {}

variables {
  base_urls     = { data = "https://data.example.com", users = "https://users.example.com" }
  bucket        = "populus-prod-console"
  export_bucket = "populus-prod-exports"
  files_folder  = "tests/files"
  headers_file  = "../../../infra/console-headers.json"
  project_id    = "populus-prod"
  region        = "europe-north1"
}

run "everybody_reads_files_and_lists_none" {
  command = plan

  assert {
    condition     = google_storage_bucket_iam_member.readers.member == "allUsers" && google_storage_bucket_iam_member.readers.role == "roles/storage.legacyObjectReader"
    error_message = google_storage_bucket_iam_member.readers.role
  }
  assert {
    condition = { for one in concat(values(google_storage_bucket_object.file), [google_storage_bucket_object.page, google_storage_bucket_object.config]) : one.name => one.cache_control } == {
      "console/config.json"  = "no-cache"
      "console/index.html"   = "no-cache"
      "console/main.0123.js" = "public, max-age=31536000, immutable"
    }
    error_message = "Browsers would keep what changes, or ask for what does not."
  }
}

run "the_configuration_has_addresses_and_no_secret" {
  command = plan

  assert {
    condition = jsondecode(google_storage_bucket_object.config.content) == {
      data_base_url  = "https://data.example.com"
      export_bucket  = "populus-prod-exports"
      storage_url    = "https://storage.googleapis.com"
      tick_seconds   = 300
      users_base_url = "https://users.example.com"
    }
    error_message = google_storage_bucket_object.config.content
  }
  assert {
    condition     = length(google_compute_backend_bucket.console.custom_response_headers) == length(jsondecode(file(var.headers_file)))
    error_message = "A header of infra/console-headers.json is missing."
  }
  assert {
    condition     = length([for header in google_compute_backend_bucket.console.custom_response_headers : header if strcontains(header, "{addresses}")]) == 0 && length([for header in google_compute_backend_bucket.console.custom_response_headers : header if startswith(lower(header), "content-security-policy: ") && strcontains(header, "https://users.example.com https://data.example.com https://storage.googleapis.com")]) == 1
    error_message = jsonencode(google_compute_backend_bucket.console.custom_response_headers)
  }
}

run "another_base_map_is_allowed_by_the_pages_policy" {
  command = plan
  variables {
    base_map = { kind = "style", url = "https://maps.example.com/style.json", origins = ["https://tiles.example.com"] }
  }

  assert {
    condition     = jsondecode(google_storage_bucket_object.config.content).base_map == { kind = "style", url = "https://maps.example.com/style.json" }
    error_message = google_storage_bucket_object.config.content
  }
  assert {
    condition     = length([for header in google_compute_backend_bucket.console.custom_response_headers : header if strcontains(header, "https://storage.googleapis.com https://maps.example.com https://tiles.example.com")]) == 1
    error_message = jsonencode(google_compute_backend_bucket.console.custom_response_headers)
  }
}

run "a_base_map_without_tls_or_of_another_kind_is_refused" {
  command = plan
  variables {
    base_map = { kind = "raster", url = "http://maps.example.com/style.json", origins = ["*"] }
  }
  expect_failures = [var.base_map]
}
