# The production environment. `withheld` names the endpoints that so far only development has.
terraform {
  required_version = ">= 1.11"

  required_providers {
    google = {
      source  = "hashicorp/google"
      version = ">= 7.45, < 8"
    }
  }

  # The bucket is given with `terraform init -backend-config=bucket=…` (scripts/deploy does).
  backend "gcs" {
    prefix = "environment"
  }
}

# Requests for budgets and quotas must name a project, which an operator's own credentials do not have.
provider "google" {
  project               = var.project_id
  billing_project       = var.project_id
  user_project_override = true
  default_labels        = { service = "populus", environment = "prod" }
}

module "environment" {
  source = "../../modules/environment"

  environment            = "prod"
  bundles_folder         = "${path.root}/../../../dist"
  ingress                = "ALLOW_INTERNAL_AND_GCLB"
  is_protected           = true
  point_in_time_recovery = true
  withheld               = []

  alert_emails          = var.alert_emails
  blocked_addresses     = var.blocked_addresses
  budget                = var.budget
  bytes_billed_max      = var.bytes_billed_max
  console_base_map      = var.console_base_map
  cors_origins          = var.cors_origins
  delivery_project      = coalesce(var.delivery_project, var.project_id)
  dns_zone              = var.dns_zone
  hosts                 = var.hosts
  loaders               = var.loaders
  project_id            = var.project_id
  queue                 = var.queue
  queue_region          = var.queue_region
  region                = var.region
  requests_per_minute   = var.requests_per_minute
  sizing                = var.sizing
  thresholds            = var.thresholds
  interactive_bytes_max = var.interactive_bytes_max
}
