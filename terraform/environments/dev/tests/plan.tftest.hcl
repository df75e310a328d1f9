mock_provider "google" {
  mock_data "google_project" {
    defaults = { number = "123456789" }
  }
  mock_resource "google_bigquery_table" {
    defaults = { id = "projects/populus-dev/datasets/mobility/tables/odm_daily" }
  }
}
mock_provider "time" {}
override_module {
  target  = module.environment.module.console
  outputs = { backend = "populus-console" }
}
variables {
  alert_emails = ["populus-alerts@example.com"]
  commit       = "0123456789abcdef0123456789abcdef01234567"
  hosts        = { data = "data.dev.example.com", users = "users.dev.example.com" }
  image        = "europe-north1-docker.pkg.dev/populus-dev/functions/functions@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
  project_id   = "populus-dev"
}
run "a" {
  command = plan
}
