variable "custom_roles" {
  description = "Custom roles that members have: id, title, description, permissions, and the project that has the role."
  type = map(object({
    description = string
    permissions = set(string)
    project_id  = string
    role_id     = string
    title       = string
  }))
  nullable = false
}

variable "export_bucket" {
  description = "Name of the bucket of customers' exports."
  type        = string
  nullable    = false
}

variable "members" {
  description = "Members to add to policies, by the kind of resource: a part of the output of modules/environment-plan."
  type = object({
    database      = map(object({ condition = object({ title = string, expression = string }), member = string, role = string }))
    export_bucket = map(object({ member = string, role = string }))
    project       = map(object({ member = string, role = string }))
    queue         = map(object({ member = string, role = string }))
    queue_account = map(object({ member = string, role = string }))
    reservation   = map(object({ member = string, project_id = string, role = string }))
    table         = map(object({ member = string, name = string, role = string }))
    topic         = map(object({ member = string, name = string, role = string }))
  })
  nullable = false

  validation {
    condition = alltrue([
      for one in flatten([for members in values(var.members) : values(members)]) : !contains(["roles/owner", "roles/editor", "roles/viewer"], one.role)
    ])
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

variable "ready" {
  description = "The accounts of the members, which must exist first."
  type        = any
  default     = null
}

variable "tables" {
  description = "Full names of the warehouse's tables (projects/…/datasets/…/tables/…) by dataset.table."
  type        = map(string)
  nullable    = false
}

variable "topics" {
  description = "Names of the topics that functions publish to, by what they publish."
  type        = map(string)
  nullable    = false
}
