# The images that this project runs, and no others: they are built into it, or copied from the project that built them.
resource "google_artifact_registry_repository" "functions" {
  project       = var.project_id
  location      = var.region
  repository_id = "functions"
  description   = "Images of the functions"
  format        = "DOCKER"
  labels        = var.labels

  # One image is a release. The last ten stay, so that traffic can go back to any of their revisions, however old they are.
  cleanup_policies {
    id     = "keep-recent"
    action = "KEEP"
    most_recent_versions {
      keep_count = 10
    }
  }
  cleanup_policies {
    id     = "delete-old"
    action = "DELETE"
    condition {
      older_than = "2592000s"
    }
  }

  # Each image is scanned when it is pushed, and `scripts/deploy` reads what was found. Billed per image: one a release.
  vulnerability_scanning_config {
    enablement_config = "INHERITED"
  }
}
