variable "ci" {
  description = "The pool, the condition on its tokens, the ids of the accounts, and the role of the one that plans: the output of modules/environment-plan."
  type = object({
    account_ids = map(string)
    condition   = string
    plan_role   = object({ id = string, permissions = set(string) })
    pool        = string
  })
  nullable = false

  validation {
    condition     = can(regex("^[a-z0-9-]{4,32}$", var.ci.pool)) && !startswith(var.ci.pool, "gcp-")
    error_message = "The id of a pool is 4 to 32 lower-case letters, digits and dashes, and does not begin with gcp-."
  }
}

variable "members" {
  description = "Who signs in as the accounts, and what these may do: a part of the output of modules/environment-plan."
  type = object({
    ci_account          = map(object({ member = string, role = string }))
    ci_delivery_project = map(object({ member = string, project_id = string, role = string }))
    ci_project          = map(object({ member = string, role = string }))
    ci_state            = map(object({ member = string, role = string }))
  })
  nullable = false
}

variable "project_id" {
  description = "Project of the functions."
  type        = string
  nullable    = false
}

variable "repository" {
  description = "The repository's name, for people: OWNER/NAME."
  type        = string
  nullable    = false
}
