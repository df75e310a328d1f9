# The production environment. `withheld` names the endpoints that so far only development has.
terraform {
  required_version = ">= 1.11"

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
  ingress                = "INGRESS_TRAFFIC_INTERNAL_LOAD_BALANCER"
  is_protected           = true
  point_in_time_recovery = true
  withheld               = []

  alert_emails            = var.alert_emails
  arrival_hour            = var.arrival_hour
  blocked_addresses       = var.blocked_addresses
  budget                  = var.budget
  bytes_billed_max        = var.bytes_billed_max
  candidate_hosts         = var.candidate_hosts
  ci                      = var.ci
  commit                  = var.commit
  console_base_map        = var.console_base_map
  cors_origins            = var.cors_origins
  databases               = var.databases
  delivery_project        = coalesce(var.delivery_project, var.project_id)
  dns_zone                = var.dns_zone
  endpoint_access         = var.endpoint_access
  firestore_export        = var.firestore_export
  firestore_location      = var.firestore_location
  hosts                   = var.hosts
  image                   = var.image
  interactive_bytes_max   = var.interactive_bytes_max
  interactive_reservation = var.interactive_reservation
  kms_keys                = var.kms_keys
  loaders                 = var.loaders
  min_instances           = var.min_instances
  more_delivery_projects  = var.more_delivery_projects
  probe                   = var.probe
  project_id              = var.project_id
  queue                   = var.queue
  queue_region            = var.queue_region
  region                  = var.region
  requests_per_minute     = var.requests_per_minute
  sizing                  = var.sizing
  thresholds              = var.thresholds
  traces                  = var.traces
  uploaders               = var.uploaders
}

# For environments from when Cloud Functions built each function: terraform/move-from-functions.md.
import {
  for_each = var.adopted_functions
  to       = module.environment.module.function[each.key].google_cloud_run_v2_service.function
  id       = "projects/${var.project_id}/locations/${var.region}/services/${each.key}"
}
