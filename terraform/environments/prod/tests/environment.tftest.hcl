# The whole of a production environment with everything that can be chosen. scripts/terraform/provider reads what is planned.
mock_provider "google" {
  mock_data "google_project" {
    defaults = { number = "123456789" }
  }
}
mock_provider "time" {}

# Its files are those of `npm run bundle`. Its own tests are in modules/console.
override_module {
  target  = module.environment.module.console
  outputs = { backend = "projects/populus-prod/global/backendBuckets/populus-console" }
}

variables {
  alert_emails     = ["populus-alerts@example.com"]
  arrival_hour     = 6
  budget           = { amount = 3000, billing_account = "012345-6789AB-CDEF01" }
  candidate_hosts  = { data = "data-candidate.example.com", users = "users-candidate.example.com" }
  ci               = { repository = "example/populus", repository_id = "4711" }
  databases        = { kept = ["(default)"], main = "restored" }
  delivery_project = "populus-delivery"
  dns_zone         = { name = "example-com" }
  firestore_export = { location = "europe-west4" }
  kms_keys = {
    europe = "projects/keys/locations/europe/keyRings/populus/cryptoKeys/stores"
    region = "projects/keys/locations/europe-north1/keyRings/populus/cryptoKeys/stores"
  }
  interactive_reservation = "projects/populus-slots/locations/europe-north1/reservations/interactive"
  loaders                 = ["group:loaders@example.com"]
  min_instances           = { login = 1, previews = 1, realtime_data = 1 }
  more_delivery_projects  = ["populus-delivery-2"]
  probe                   = { regions = ["europe-north1", "us-east1"] }
  uploaders               = ["group:provider@example.com"]
  commit                  = "0123456789abcdef0123456789abcdef01234567"
  hosts                   = { data = "data.example.com", users = "users.example.com" }
  image                   = "europe-north1-docker.pkg.dev/populus-prod/functions/functions@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
  project_id              = "populus-prod"
}

run "production_with_all_that_can_be_chosen_is_planned" {
  command = plan

  assert {
    condition     = output.environment.candidate_base_urls == { data = "https://data-candidate.example.com", users = "https://users-candidate.example.com" }
    error_message = jsonencode(output.environment.candidate_base_urls)
  }
  assert {
    condition     = toset(keys(output.environment.function_urls)) == toset([for one in jsondecode(file("../../../infra/generated/functions.json")) : one.name])
    error_message = "A function is not deployed."
  }
  assert {
    condition     = length(output.environment.burn_rate_alerts) == 2 * length(jsondecode(file("../../../infra/generated/objectives.json")).objectives)
    error_message = jsonencode(keys(output.environment.burn_rate_alerts))
  }
}
