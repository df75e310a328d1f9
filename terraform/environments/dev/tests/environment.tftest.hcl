# The whole of a small development environment, as its first variables describe it. scripts/terraform/provider reads what is planned.
mock_provider "google" {
  mock_data "google_project" {
    defaults = { number = "123456789" }
  }
}
mock_provider "time" {}

# Its files are those of `npm run bundle`. Its own tests are in modules/console.
override_module {
  target  = module.environment.module.console
  outputs = { backend = "projects/populus-dev/global/backendBuckets/populus-console" }
}

variables {
  alert_emails = ["populus-alerts@example.com"]
  commit       = "0123456789abcdef0123456789abcdef01234567"
  hosts        = { data = "data.dev.example.com", users = "users.dev.example.com" }
  image        = "europe-north1-docker.pkg.dev/populus-dev/functions/functions@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
  project_id   = "populus-dev"
}

run "the_least_environment_is_planned" {
  command = plan

  assert {
    condition     = output.environment.base_urls == { data = "https://data.dev.example.com", users = "https://users.dev.example.com" } && output.environment.candidate_base_urls == null && output.environment.ci == null
    error_message = jsonencode([output.environment.base_urls, output.environment.candidate_base_urls])
  }
  assert {
    condition     = toset(keys(output.environment.function_urls)) == toset([for one in jsondecode(file("../../../infra/generated/functions.json")) : one.name])
    error_message = "A function is not deployed."
  }
}

run "what_cannot_be_is_refused" {
  command = plan
  variables {
    probe        = { regions = ["europe-north1"] }
    promote_from = "populus-dev"
    traces       = { share = 2 }
  }
  expect_failures = [var.probe, var.promote_from, var.traces]
}
