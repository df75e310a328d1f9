# The development environment. What is only here is what is set below; everything else is modules/environment.
terraform {
  required_version = ">= 1.11"

  required_providers {
    google = {
      source  = "hashicorp/google"
      version = "~> 6.50"
    }
  }

  # The bucket is given with `terraform init -backend-config=bucket=…` (scripts/deploy does).
  backend "gcs" {
    prefix = "environment"
  }
}

# Budgets and quotas need a project to be asked for, which an operator's own credentials have not.
provider "google" {
  project               = var.project_id
  billing_project       = var.project_id
  user_project_override = true
  default_labels        = { service = "populus", environment = "dev" }
}

module "environment" {
  source = "../../modules/environment"

  environment            = "dev"
  alert_emails           = var.alert_emails
  budget                 = var.budget
  bundles_folder         = "${path.root}/../../../dist"
  delivery_project       = coalesce(var.delivery_project, var.project_id)
  dns_zone               = var.dns_zone
  hosts                  = var.hosts
  ingress                = "ALLOW_ALL"
  is_protected           = false
  point_in_time_recovery = false
  project_id             = var.project_id
  sizing                 = { endpoint = { instances = 5 }, preview = { instances = 5 }, worker = { instances = 5 } }
  withheld               = []
}
