# The environment and its customers, as a deployment in production would plan them. Every customer has everything that a customer can have.
locals {
  infra  = "${path.module}/../../../infra"
  region = "europe-north1"
}

module "environment" {
  source = "../environment-plan"

  bytes_billed_max      = 1099511627776
  candidate_hosts       = { data = "data-candidate.example.com", users = "users-candidate.example.com" }
  delivery_project      = "populus-prod-delivery"
  environment           = "prod"
  hosts                 = { data = "data.example.com", users = "users.example.com" }
  ingress               = "INGRESS_TRAFFIC_INTERNAL_LOAD_BALANCER"
  interactive_bytes_max = 100000000000
  patterns              = jsondecode(file("${local.infra}/generated/environment-variables.json"))
  project_id            = "populus-prod"
  project_number        = "123456789"
  query_price           = { currency = "USD", per_tib = 6.25 }
  queue_name            = "aggregations"
  queue_region          = "europe-west1"
  rate                  = { burst = 500, per_second = 100 }
  region                = local.region
}

module "customers" {
  source   = "../customer-plan"
  for_each = { for size in var.sizes : tostring(size) => size }

  countries = ["EST"]
  customers = {
    for number in range(each.value) : format("customer%04d", number) => {
      countries = ["EST"], environment = "prod", name = "Customer ${number}", scenarios = ["A", "B", "C"], scopes = ["realtime", "warehouse"]
    }
  }
  data_project           = "populus-prod"
  delivery_project       = "populus-prod-delivery"
  environment            = "prod"
  login_service_account  = "fn-auth-login@populus-prod.iam.gserviceaccount.com"
  region                 = local.region
  service_accounts_max   = 2 * each.value
  signer_service_account = "fn-aggregation-urls@populus-prod.iam.gserviceaccount.com"
  views                  = jsondecode(file("${local.infra}/generated/customer-views.json"))
}
