variable "countries" {
  description = "Codes of the countries that the service has: the keys of infra/countries.json."
  type        = set(string)
  nullable    = false

  validation {
    condition     = length(var.countries) > 0 && alltrue([for code in var.countries : can(regex("^[A-Z]{3}$", code))])
    error_message = "At least one country is needed, as a code of three letters (ISO 3166-1 alpha-3)."
  }
}

variable "customers" {
  description = "Customers by uid, as `npm run admin` writes them. One file may hold those of several environments."
  type = map(object({
    accounts_project = optional(string)
    countries        = set(string)
    environment      = string
    name             = string
    scenarios        = set(string)
    scopes           = set(string)
  }))
  nullable = false

  validation {
    condition     = alltrue([for uid in keys(var.customers) : can(regex("^[a-z][a-z0-9]{7,19}$", uid))])
    error_message = "A uid is allocated by the service: 8 to 20 lower-case letters and digits, starting with a letter. Otherwise a service account's name may be too long, or a folder another customer's."
  }
  validation {
    condition     = alltrue([for customer in values(var.customers) : contains(["dev", "prod"], customer.environment)])
    error_message = "A customer's environment is dev or prod."
  }
  validation {
    condition     = alltrue([for customer in values(var.customers) : can(regex("^\\P{Cc}+$", customer.name)) && length(customer.name) <= 200])
    error_message = "A customer has a name of 1 to 200 characters, without control characters."
  }
  validation {
    condition     = alltrue([for customer in values(var.customers) : length(customer.countries) > 0 && length(setsubtract(customer.countries, var.countries)) == 0])
    error_message = "A customer needs at least one country, all of them countries of the service."
  }
  validation {
    condition     = alltrue([for customer in values(var.customers) : length(setsubtract(customer.scopes, ["realtime", "warehouse"])) == 0])
    error_message = "A customer's scopes are realtime and warehouse."
  }
  validation {
    condition     = alltrue([for customer in values(var.customers) : length(setsubtract(customer.scenarios, ["A", "B", "C"])) == 0])
    error_message = "A customer's scenarios are A (a listing), B (a personal dataset) and C (a transfer)."
  }
}

variable "data_project" {
  description = "Project of the functions, the data and the exports."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^[a-z][a-z0-9-]{4,28}[a-z0-9]$", var.data_project))
    error_message = "A project's id has 6 to 30 lower-case letters, digits and dashes."
  }
}

variable "delivery_project" {
  description = "Project of the customers' service accounts, datasets and listings; it may be the data project. The first, if there are several."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^[a-z][a-z0-9-]{4,28}[a-z0-9]$", var.delivery_project))
    error_message = "A project's id has 6 to 30 lower-case letters, digits and dashes."
  }
}

# Queries are limited per project, so in the data project nothing would bound the cost of customers' own queries (terraform/customers/quotas.tf).
# In dev it is allowed, and the check `query_bytes` warns.
variable "environment" {
  description = "The environment to plan. Customers of other environments are left out."
  type        = string
  nullable    = false

  validation {
    condition     = contains(["dev", "prod"], var.environment)
    error_message = "The environment is dev or prod. It is the name of the workspace: terraform workspace select -or-create dev."
  }
  validation {
    condition = var.environment != "prod" || length([
      for customer in values(var.customers) : customer
      if customer.environment == "prod" && contains(customer.scenarios, "B") && coalesce(customer.accounts_project, var.delivery_project) == var.data_project
    ]) == 0
    error_message = "In production, customers who run their own queries (scenario B) need a delivery project: in the data project no limit applies to what they read."
  }
}

variable "load_jobs_max" {
  description = "Load jobs of customers' tables that the data project may run a day: it has 100,000, and loads of data need some. The functions' number: LOAD_JOBS_A_DAY_MAX."
  type        = number
  default     = 90000
  nullable    = false
}

variable "login_service_account" {
  description = "Email of the service account of the login function, the one that mints customers' tokens."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^[a-z][a-z0-9-]{4,28}[a-z0-9]@", var.login_service_account)) && endswith(var.login_service_account, "@${var.data_project}.iam.gserviceaccount.com")
    error_message = "The login function's service account must be in the data project: another environment's login would mint tokens for these customers."
  }
}

variable "more_delivery_projects" {
  description = "Further delivery projects, in the order in which they were added. A customer is in the one that it was placed in, without one in delivery_project."
  type        = list(string)
  default     = []
  nullable    = false

  validation {
    condition     = alltrue([for id in var.more_delivery_projects : can(regex("^[a-z][a-z0-9-]{4,28}[a-z0-9]$", id))])
    error_message = "A project's id has 6 to 30 lower-case letters, digits and dashes."
  }
  validation {
    condition     = length(distinct(concat([var.delivery_project], var.more_delivery_projects))) == 1 + length(var.more_delivery_projects)
    error_message = "A delivery project is listed once."
  }
  validation {
    condition     = length([for customer in values(var.customers) : customer if customer.environment == var.environment && !contains(concat([var.delivery_project], var.more_delivery_projects), coalesce(customer.accounts_project, var.delivery_project))]) == 0
    error_message = "These customers were placed in a project that is not listed, and accounts cannot move: ${join(", ", [for uid, customer in var.customers : uid if customer.environment == var.environment && !contains(concat([var.delivery_project], var.more_delivery_projects), coalesce(customer.accounts_project, var.delivery_project))])}."
  }
}

variable "region" {
  description = "Location of the personal datasets: that of the dataset realtime."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^[a-z]+-[a-z]+[0-9]+$", var.region))
    error_message = "The region must be a region of Google Cloud, for example europe-north1."
  }
}

variable "service_accounts_max" {
  description = "The quota of service accounts of each delivery project (100 unless raised), minus the accounts that are not customers'."
  type        = number
  default     = 100
  nullable    = false

  validation {
    condition     = var.service_accounts_max >= 0
    error_message = "A quota is not negative."
  }
}

variable "signer_service_account" {
  description = "Email of the service account of the function that signs URLs of customers' files."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^[a-z][a-z0-9-]{4,28}[a-z0-9]@", var.signer_service_account)) && endswith(var.signer_service_account, "@${var.data_project}.iam.gserviceaccount.com")
    error_message = "The service account that signs URLs must be in the data project: that of another environment would sign URLs of these customers' files."
  }
}

variable "subscribers" {
  description = "Principals who may subscribe to a customer's listing besides its warehouse account, by uid: user:…, group:… or serviceAccount:…."
  type        = map(set(string))
  default     = {}
  nullable    = false

  validation {
    condition     = alltrue([for uid in keys(var.subscribers) : contains(try(var.customers[uid].scenarios, []), "A")])
    error_message = "Subscribers need a customer with scenario A."
  }
  validation {
    condition     = alltrue([for member in flatten([for members in values(var.subscribers) : tolist(members)]) : can(regex("^(user|group|serviceAccount):[^@:]+@[^@:]+$", member))])
    error_message = "A subscriber is one principal: user:EMAIL, group:EMAIL or serviceAccount:EMAIL. A listing is never shared with everyone or with a domain."
  }
}

variable "views" {
  description = "The views of each customer: infra/generated/customer-views.json."
  type = map(object({
    dataset             = string
    dataset_description = string
    description         = string
    location            = string
    query               = string
    reads               = string
    scenario            = string
    table = object({
      clustering               = list(string)
      dataset                  = string
      description              = string
      partition                = object({ expiration_ms = number, field = string, type = string })
      require_partition_filter = bool
      schema                   = list(object({ description = optional(string), mode = string, name = string, type = string }))
      table                    = string
    })
  }))
  nullable = false

  validation {
    condition     = alltrue([for view in values(var.views) : strcontains(view.query, "uid = '{uid}'") && regexall("`[^`]*`", view.query) == tolist(["`{project}.${view.reads}.${view.table.table}`"])])
    error_message = "A view must select one customer's rows (uid = '{uid}') and read its own table in the data project ({project}) alone."
  }
  validation {
    condition     = alltrue([for view in values(var.views) : strcontains(view.dataset, "{uid}") && endswith(view.table.table, "_{uid}") && view.table.dataset == view.reads])
    error_message = "A view must be in the customer's own dataset and read the customer's own table: both names contain {uid}."
  }
}
