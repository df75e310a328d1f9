variable "countries" {
  description = "Codes of the countries that the service has: the keys of infra/countries.json."
  type        = set(string)
  nullable    = false

  validation {
    condition     = length(var.countries) > 0 && alltrue([for code in var.countries : can(regex("^[A-Z]{3}$", code))])
    error_message = "Countries are codes of three letters, ISO 3166-1 alpha-3, and there must be one."
  }
}

variable "customers" {
  description = "The customers by their uids, as `npm run admin` writes them; those of several environments may stand in one file."
  type = map(object({
    countries   = set(string)
    environment = string
    name        = string
    scenarios   = set(string)
    scopes      = set(string)
  }))
  nullable = false

  validation {
    condition     = alltrue([for uid in keys(var.customers) : can(regex("^[a-z][a-z0-9]{7,19}$", uid))])
    error_message = "A uid is made by the service: 8 to 20 lower-case letters and digits, beginning with a letter. Else a service account's name is too long, or a folder is another's."
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
    error_message = "A customer has one country or more, all of them countries of the service."
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
  description = "Project of the customers' service accounts, datasets and listings; it may be that of the data."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^[a-z][a-z0-9-]{4,28}[a-z0-9]$", var.delivery_project))
    error_message = "A project's id has 6 to 30 lower-case letters, digits and dashes."
  }
}

# Queries are limited by project, so in the data project nothing would bound what customers' own cost (terraform/customers/quotas.tf).
# In dev it is allowed, and the check `query_bytes` warns.
variable "environment" {
  description = "The environment that is planned: customers of others are left out."
  type        = string
  nullable    = false

  validation {
    condition     = contains(["dev", "prod"], var.environment)
    error_message = "The environment is dev or prod. It is the name of the workspace: terraform workspace select -or-create dev."
  }
  validation {
    condition = var.environment != "prod" || var.delivery_project != var.data_project || length([
      for customer in values(var.customers) : customer if customer.environment == "prod" && contains(customer.scenarios, "B")
    ]) == 0
    error_message = "In production, customers who run queries of their own (scenario B) need a delivery project: in the data project no limit holds for what they read."
  }
}

variable "login_service_account" {
  description = "Email of the service account of the login function, the one that mints customers' tokens."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^[a-z][a-z0-9-]{4,28}[a-z0-9]@", var.login_service_account)) && endswith(var.login_service_account, "@${var.data_project}.iam.gserviceaccount.com")
    error_message = "The login function's service account must be of the project of the data: another environment's login would mint tokens for these customers."
  }
}

variable "region" {
  description = "Where personal datasets lie: where the dataset realtime does."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^[a-z]+-[a-z]+[0-9]+$", var.region))
    error_message = "The region must be a region of Google Cloud, for example europe-north1."
  }
}

variable "service_accounts_max" {
  description = "The delivery project's quota of service accounts: 100 unless Google has raised it. Those that are not customers' are to be taken off."
  type        = number
  default     = 100
  nullable    = false

  validation {
    condition     = var.service_accounts_max >= 0
    error_message = "A quota is not negative."
  }
}

variable "subscribers" {
  description = "Principals who may subscribe to a customer's listing beside its warehouse account, by uid: user:…, group:… or serviceAccount:…."
  type        = map(set(string))
  default     = {}
  nullable    = false

  validation {
    condition     = alltrue([for uid in keys(var.subscribers) : contains(try(var.customers[uid].scenarios, []), "A")])
    error_message = "Subscribers are named for a customer with scenario A."
  }
  validation {
    condition     = alltrue([for member in flatten([for members in values(var.subscribers) : tolist(members)]) : can(regex("^(user|group|serviceAccount):[^@:]+@[^@:]+$", member))])
    error_message = "A subscriber is one principal: user:EMAIL, group:EMAIL or serviceAccount:EMAIL. A listing is never for everybody, nor for a domain."
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
  }))
  nullable = false

  validation {
    condition     = alltrue([for view in values(var.views) : strcontains(view.query, "uid = '{uid}'") && strcontains(view.query, "`{project}.${view.reads}.")])
    error_message = "A view must be of one customer's rows (uid = '{uid}') and name the project of the data ({project})."
  }
  validation {
    condition     = alltrue([for view in values(var.views) : strcontains(view.dataset, "{uid}")])
    error_message = "A view must lie in a dataset of the customer's own: its name holds {uid}."
  }
}
