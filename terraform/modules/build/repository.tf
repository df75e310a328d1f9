resource "google_artifact_registry_repository" "functions" {
  project       = var.project_id
  location      = var.region
  repository_id = "functions"
  description   = "Images of the functions"
  format        = "DOCKER"
  labels        = var.labels

  # A rollback applies the older commit, which builds again. So only the running images and a few older ones are kept.
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

  # Scanning is billed per image, and a deployment pushes 25 at a time. Dependencies are audited where they are locked.
  vulnerability_scanning_config {
    enablement_config = "DISABLED"
  }
}
