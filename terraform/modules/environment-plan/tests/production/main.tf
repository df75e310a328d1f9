# What production has, for the tests of the modules that create it. Each sets what it is about.
terraform {
  required_version = ">= 1.11"
}

variable "ci" {
  type    = object({ repository = string, repository_id = string })
  default = null
}

variable "firestore_export" {
  type    = object({ kms_key = optional(string), location = string, retention_days = optional(number, 3) })
  default = null
}

variable "kms_keys" {
  type    = object({ europe = string, region = string })
  default = null
}

variable "people" {
  type    = set(string)
  default = []
}

variable "probe_regions" {
  type    = set(string)
  default = []
}

module "plan" {
  source = "../.."

  bytes_billed_max        = 1099511627776
  candidate_hosts         = { data = "data-candidate.example.com", users = "users-candidate.example.com" }
  ci                      = var.ci
  delivery_project        = "populus-delivery"
  environment             = "prod"
  firestore_export        = var.firestore_export
  hosts                   = { data = "data.example.com", users = "users.example.com" }
  ingress                 = "INGRESS_TRAFFIC_INTERNAL_LOAD_BALANCER"
  interactive_bytes_max   = 100000000000
  interactive_reservation = "projects/populus-slots/locations/europe-north1/reservations/interactive"
  kms_keys                = var.kms_keys
  loaders                 = var.people
  patterns                = jsondecode(file("${path.module}/../../../../../infra/generated/environment-variables.json"))
  probe                   = { regions = var.probe_regions }
  project_id              = "populus-prod"
  project_number          = "123456789"
  query_price             = { currency = "USD", per_tib = 6.25 }
  queue_name              = "aggregations"
  queue_region            = "europe-west1"
  rate                    = { burst = 500, per_second = 100 }
  region                  = "europe-north1"
  uploaders               = var.people
}

output "plan" {
  value = module.plan
}
