variable "functions" {
  description = "Names of the functions that are deployed."
  type        = set(string)
  nullable    = false

  validation {
    condition     = alltrue([for name in var.functions : can(regex("^[a-z][a-z0-9-]{1,47}[a-z0-9]$", name))])
    error_message = "A function's name is 3 to 49 lower-case letters, digits and dashes."
  }
  validation {
    condition     = length(setsubtract(var.functions, keys(var.permissions))) == 0
    error_message = "permissions.json does not name these functions: ${join(", ", setsubtract(var.functions, keys(var.permissions)))}."
  }
}

variable "permissions" {
  description = "What each function's code needs: `infra/generated/permissions.json`, decoded. A function without grants has an account without any role."
  type = map(object({
    grants = set(string)
    tables = set(string)
    writes = set(string)
  }))
  nullable = false

  validation {
    condition     = length(setsubtract(flatten([for needs in values(var.permissions) : tolist(needs.grants)]), keys(local.grants))) == 0
    error_message = "scripts/terraform/grants.ts does not define these grants: ${join(", ", setsubtract(flatten([for needs in values(var.permissions) : tolist(needs.grants)]), keys(local.grants)))}."
  }
}
