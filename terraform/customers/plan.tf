locals {
  infra = "${path.module}/../../infra"

  # Searched by name instead of indexed, so that `terraform validate` needs no workspace.
  name  = one([for name in keys(var.environments) : name if name == terraform.workspace])
  named = var.environments[local.name]
  environment = merge(local.named, {
    countries_file         = coalesce(local.named.countries_file, "${local.infra}/countries.json")
    delivery_project       = coalesce(local.named.delivery_project, local.named.data_project)
    export_bucket          = coalesce(local.named.export_bucket, "${local.named.data_project}-exports")
    login_service_account  = coalesce(local.named.login_service_account, "fn-auth-login@${local.named.data_project}.iam.gserviceaccount.com")
    signer_service_account = coalesce(local.named.signer_service_account, "fn-aggregation-urls@${local.named.data_project}.iam.gserviceaccount.com")
  })
}

# What each delivery project has once, by a key: the first is called so, so that it keeps its addresses whatever is added. `key_of` finds a customer's.
locals {
  delivery_projects = merge({ first = local.environment.delivery_project }, { for id in local.environment.more_delivery_projects : id => id })
  key_of            = { for key, id in local.delivery_projects : id => key }
  # Delivery projects that are not the data project.
  separate_projects = { for key, id in local.delivery_projects : key => id if id != local.environment.data_project }
}

# This module decides what each customer gets, and is tested without a cloud. The rest of this root only creates it.
module "plan" {
  source = "../modules/customer-plan"

  countries              = keys(jsondecode(file(local.environment.countries_file)))
  customers              = var.customers
  data_project           = local.environment.data_project
  delivery_project       = local.environment.delivery_project
  environment            = local.name
  more_delivery_projects = local.environment.more_delivery_projects
  login_service_account  = local.environment.login_service_account
  region                 = local.environment.region
  service_accounts_max   = local.environment.service_accounts_max
  signer_service_account = local.environment.signer_service_account
  subscribers            = var.subscribers
  views                  = jsondecode(file("${local.infra}/generated/customer-views.json"))
}
