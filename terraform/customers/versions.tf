terraform {
  required_version = ">= 1.11"

  # A state of its own, so that onboarding a customer never touches the service. The bucket is scripts/bootstrap's:
  #   terraform init -backend-config=bucket=STATE_BUCKET
  #   terraform workspace select -or-create dev
  # The workspace is the environment: it names the state and picks the projects at once, so that neither can be another's.
  backend "gcs" {
    prefix = "customers"
  }

  required_providers {
    google = {
      source  = "hashicorp/google"
      version = ">= 7.45, < 9"
    }
    time = {
      source  = "hashicorp/time"
      version = "~> 0.13"
    }
  }
}

# Quotas and sharing need a project to be asked for, which an operator's own credentials have not.
provider "google" {
  project               = local.environment.delivery_project
  region                = local.environment.region
  billing_project       = local.environment.delivery_project
  user_project_override = true
  default_labels        = { service = "populus", environment = local.name }
}
