variable "customers" {
  description = "Customers by uid: customers.auto.tfvars.json, which `npm run admin` writes. No default: a missing file would remove all customers."
  type = map(object({
    accounts_project = optional(string)
    countries        = set(string)
    environment      = string
    name             = string
    scenarios        = set(string)
    scopes           = set(string)
  }))
  nullable = false
}

variable "environments" {
  description = "The projects and locations of each environment, by the name of its workspace. Omitted values are derived from data_project."
  type = map(object({
    contact_email                = optional(string)           # who is asked when a quota is to be raised
    countries_file               = optional(string)           # country rules of its own, instead of infra/countries.json
    data_project                 = string                     # the functions, the data, the exports
    delivery_project             = optional(string)           # the customers' accounts and datasets; left out: the data project
    export_bucket                = optional(string)           # left out: {data_project}-exports
    login_service_account        = optional(string)           # left out: fn-auth-login@{data_project}
    more_delivery_projects       = optional(list(string), []) # for customers that the first has no room for, in the order in which they were added
    query_gib_per_day            = optional(number, 10240)    # what all queries of a delivery project's customers may read a day
    query_gib_per_day_of_account = optional(number, 100)      # what one customer's may
    region                       = optional(string, "europe-north1")
    service_accounts_max         = optional(number, 100) # the quota of each delivery project, less those that are not customers'
    signer_service_account       = optional(string)      # left out: fn-aggregation-urls@{data_project}
  }))
  nullable = false

  validation {
    condition     = contains(keys(var.environments), terraform.workspace)
    error_message = "No environment has the name of the workspace, ${terraform.workspace}: terraform workspace select -or-create dev, or prod."
  }
  validation {
    condition     = length(setsubtract(keys(var.environments), ["dev", "prod"])) == 0
    error_message = "Environments are dev and prod."
  }
  validation {
    condition = alltrue([
      for one in values(var.environments) : length([
        for other in values(var.environments) : other
        if length(setintersection(concat([one.data_project, coalesce(one.delivery_project, one.data_project)], one.more_delivery_projects), concat([other.data_project, coalesce(other.delivery_project, other.data_project)], other.more_delivery_projects))) > 0
      ]) == 1
    ])
    error_message = "Each environment needs its own data and delivery projects: keys and data of one must not reach the other."
  }
  validation {
    condition = alltrue([
      for one in values(var.environments) : one.query_gib_per_day_of_account >= 1 && one.query_gib_per_day >= one.query_gib_per_day_of_account
    ])
    error_message = "An account may read 1 GiB a day or more, and no more than all of them together."
  }
}

variable "subscribers" {
  description = "People and groups of a customer who may subscribe to its listing, by uid: user:…, group:… or serviceAccount:…."
  type        = map(set(string))
  default     = {}
  nullable    = false
}
