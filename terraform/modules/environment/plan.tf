data "google_project" "this" {
  project_id = var.project_id
}

# This module decides what an environment has, and is tested without a cloud. The other modules only create it.
module "plan" {
  source = "../environment-plan"

  arrival_hour            = var.arrival_hour
  bytes_billed_max        = var.bytes_billed_max
  candidate_hosts         = var.candidate_hosts
  ci                      = var.ci
  cors_origins            = local.cors_origins
  databases               = var.databases
  delivery_project        = var.delivery_project
  endpoint_access         = var.endpoint_access
  environment             = var.environment
  firestore_export        = var.firestore_export
  hosts                   = var.hosts
  ingress                 = var.ingress
  interactive_bytes_max   = var.interactive_bytes_max
  interactive_reservation = var.interactive_reservation
  kms_keys                = var.kms_keys
  loaders                 = var.loaders
  min_instances           = var.min_instances
  more_delivery_projects  = var.more_delivery_projects
  patterns                = jsondecode(file("${path.module}/../../../infra/generated/environment-variables.json"))
  probe                   = var.probe
  project_id              = var.project_id
  project_number          = data.google_project.this.number
  query_price             = var.query_price
  queue_name              = var.queue.name
  queue_region            = var.queue_region
  rate                    = var.rate
  region                  = var.region
  sizing                  = var.sizing
  traces                  = var.traces
  uploaders               = var.uploaders
  withheld                = var.withheld
}

locals {
  # The console's pages come from the Users API's host.
  cors_origins = setunion(var.cors_origins, ["https://${var.hosts.users}"])

  labels = merge({ service = "populus", environment = var.environment }, var.labels)
}
