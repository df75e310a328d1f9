# One function: its account, its service and who may call it.
mock_provider "google" {}

variables {
  account_id            = "fn-realtime-refresh"
  commit                = "0123456789abcdef0123456789abcdef01234567"
  entry                 = "functions/realtime/refresh.ts"
  environment_variables = { ENVIRONMENT = "prod", WAREHOUSE_PROJECT = "populus-prod" }
  image                 = "europe-north1-docker.pkg.dev/populus-prod/functions/functions@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
  ingress               = "INGRESS_TRAFFIC_INTERNAL_ONLY"
  invoker               = "serviceAccount:call-realtime-refresh@populus-prod.iam.gserviceaccount.com"
  kind                  = { name = "worker", concurrency = 1, cpu = "1", instances = 10, memory = "512Mi", min_instances = 0, timeout_seconds = 540 }
  name                  = "realtime-refresh"
  project_id            = "populus-prod"
  region                = "europe-north1"
  trigger               = "schedule"
}

run "a_worker_has_one_caller_and_is_not_reached_from_outside" {
  command = apply

  assert {
    condition     = !google_cloud_run_v2_service.function.invoker_iam_disabled && google_cloud_run_v2_service_iam_binding.invoker[0].members == toset([var.invoker]) && google_cloud_run_v2_service_iam_binding.invoker[0].role == "roles/run.invoker"
    error_message = jsonencode(google_cloud_run_v2_service_iam_binding.invoker)
  }
  assert {
    condition     = google_cloud_run_v2_service.function.ingress == "INGRESS_TRAFFIC_INTERNAL_ONLY" && google_cloud_run_v2_service.function.template[0].service_account == google_service_account.function.email
    error_message = jsonencode(google_cloud_run_v2_service.function.template)
  }
  assert {
    condition     = google_cloud_run_v2_service.function.template[0].containers[0].args == tolist(["start.cjs", "--target=realtime-refresh", "--source=realtime-refresh.cjs"]) && google_cloud_run_v2_service.function.template[0].containers[0].image == var.image
    error_message = jsonencode(google_cloud_run_v2_service.function.template[0].containers)
  }
  assert {
    condition     = { for one in google_cloud_run_v2_service.function.template[0].containers[0].env : one.name => one.value } == { for name, value in var.environment_variables : name => value }
    error_message = jsonencode(google_cloud_run_v2_service.function.template[0].containers[0].env)
  }
  assert {
    condition     = google_cloud_run_v2_service.function.template[0].timeout == "540s" && google_cloud_run_v2_service.function.template[0].max_instance_request_concurrency == 1 && google_cloud_run_v2_service.function.template[0].scaling[0].max_instance_count == 10
    error_message = jsonencode(google_cloud_run_v2_service.function.template)
  }
}

run "an_endpoint_is_called_without_a_check_and_keeps_the_instances_of_its_kind" {
  command = plan
  variables {
    ingress = "INGRESS_TRAFFIC_INTERNAL_LOAD_BALANCER"
    invoker = null
    kind    = { name = "endpoint", concurrency = 80, cpu = "1", instances = 20, memory = "512Mi", min_instances = 2, timeout_seconds = 60 }
    trigger = "http"
  }

  assert {
    condition     = google_cloud_run_v2_service.function.invoker_iam_disabled && length(google_cloud_run_v2_service_iam_binding.invoker) == 0 && google_cloud_run_v2_service.function.scaling[0].min_instance_count == 2
    error_message = "An endpoint is behind Cloud Run's check, too."
  }
}

run "where_the_organisation_wants_the_check_everybody_passes_it" {
  command = plan
  variables {
    ingress = "INGRESS_TRAFFIC_INTERNAL_LOAD_BALANCER"
    invoker = "allUsers"
    trigger = "http"
  }

  assert {
    condition     = !google_cloud_run_v2_service.function.invoker_iam_disabled && google_cloud_run_v2_service_iam_binding.invoker[0].members == toset(["allUsers"])
    error_message = jsonencode(google_cloud_run_v2_service_iam_binding.invoker)
  }
}

run "a_public_worker_is_refused" {
  command = plan
  variables {
    invoker = "allUsers"
  }
  expect_failures = [var.invoker]
}

run "a_worker_without_a_caller_is_refused" {
  command = plan
  variables {
    invoker = null
  }
  expect_failures = [var.invoker]
}

run "an_image_by_tag_or_of_another_project_is_refused" {
  command = plan
  variables {
    commit = "main"
    image  = "europe-north1-docker.pkg.dev/populus-dev/functions/functions:latest"
  }
  expect_failures = [var.commit, var.image]
}
