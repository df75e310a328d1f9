resource "google_artifact_registry_repository" "functions" {
  project       = var.project_id
  location      = var.region
  repository_id = "functions"
  description   = "Images of the functions"
  format        = "DOCKER"
  labels        = var.labels

  # A rollback is an apply of the older commit, which builds again: images are kept for what runs, and a few before it.
  cleanup_policies {
    id     = "keep-recent"
    action = "KEEP"
    most_recent_versions {
      keep_count = 3
    }
  }
  cleanup_policies {
    id     = "delete-old"
    action = "DELETE"
    condition {
      older_than = "2592000s"
    }
  }

  # Scanning is billed by the image, on a push of 25 at a time; dependencies are audited where they are locked.
  vulnerability_scanning_config {
    enablement_config = "DISABLED"
  }
}
