variable "emails" {
  description = "Emails of the functions' service accounts, by function."
  type        = map(string)
  nullable    = false
}

variable "export_bucket" {
  description = "Name of the bucket of customers' exports."
  type        = string
  nullable    = false
}

variable "grants" {
  description = "The functions' grants: the output of modules/roles. Grants on datasets and on customers' accounts are made where those are created."
  type = map(object({
    function = string
    name     = optional(string)
    on       = string
    role     = string
  }))
  nullable = false

  validation {
    condition = alltrue([
      for grant in values(var.grants) : contains(["customer_accounts", "dataset", "export_bucket", "project", "queue", "queue_account", "table", "topic"], grant.on)
    ])
    error_message = "A grant names a kind of resource that this module does not know."
  }
  validation {
    condition     = alltrue([for grant in values(var.grants) : !contains(["roles/owner", "roles/editor", "roles/viewer"], grant.role)])
    error_message = "A function must not have a basic role."
  }
}

variable "project_id" {
  description = "Project of the functions and their data."
  type        = string
  nullable    = false
}

variable "queue" {
  description = "The task queue: its name, its region, and the account (projects/…/serviceAccounts/…) with which its tasks publish."
  type = object({
    account = string
    name    = string
    region  = string
  })
  nullable = false
}

variable "tables" {
  description = "Full names of the warehouse's tables (projects/…/datasets/…/tables/…) by dataset.table."
  type        = map(string)
  nullable    = false
}

variable "topic" {
  description = "Name of the topic that jobs are published to."
  type        = string
  nullable    = false
}
