# The registry, and the account that builds into it.
mock_provider "google" {}
mock_provider "time" {}

variables {
  account_id = "function-builds"
  project_id = "populus-prod"
  region     = "europe-north1"
}

run "planned" {
  command = plan
  module {
    source = "../environment-plan/tests/production"
  }
}

run "a_build_reads_its_files_and_writes_its_images_and_has_the_roles_before_it_starts" {
  command = apply
  variables {
    account_id = run.planned.plan.account_ids.platform.builds
    members    = { for kind in ["build_project", "build_repository"] : kind => run.planned.plan.members[kind] }
  }

  assert {
    condition = { for key, one in google_project_iam_member.build : one.role => [one.member, [for condition in one.condition : condition.expression]] } == {
      "roles/logging.logWriter"    = ["serviceAccount:${run.planned.plan.account_ids.platform.builds}@populus-prod.iam.gserviceaccount.com", []]
      "roles/storage.objectViewer" = ["serviceAccount:${run.planned.plan.account_ids.platform.builds}@populus-prod.iam.gserviceaccount.com", ["resource.name.startsWith(\"projects/_/buckets/${run.planned.plan.buckets.function_sources}/\")"]]
    }
    error_message = jsonencode(google_project_iam_member.build)
  }
  assert {
    condition     = [for one in google_artifact_registry_repository_iam_member.build : one.role] == ["roles/artifactregistry.writer"]
    error_message = jsonencode(google_artifact_registry_repository_iam_member.build)
  }
  # A further grant is waited for, too.
  assert {
    condition     = length(time_sleep.granted.triggers) == length(google_project_iam_member.build) + length(google_artifact_registry_repository_iam_member.build) && time_sleep.granted.create_duration == "120s"
    error_message = jsonencode(time_sleep.granted)
  }
  assert {
    condition     = output.build.image == "europe-north1-docker.pkg.dev/populus-prod/functions/functions"
    error_message = output.build.image
  }
}

run "the_last_ten_images_stay_whatever_their_age" {
  command = plan
  variables {
    members = { build_project = {}, build_repository = {} }
  }

  assert {
    condition     = { for one in google_artifact_registry_repository.functions.cleanup_policies : one.action => [for version in one.most_recent_versions : version.keep_count] } == { DELETE = [], KEEP = [10] }
    error_message = jsonencode(google_artifact_registry_repository.functions.cleanup_policies)
  }
  assert {
    condition     = google_artifact_registry_repository.functions.vulnerability_scanning_config[0].enablement_config == "INHERITED" && google_artifact_registry_repository.functions.format == "DOCKER"
    error_message = "Images would not be scanned."
  }
}
