variable "functions" {
  description = "Names of the functions that are deployed."
  type        = set(string)
  nullable    = false

  validation {
    condition     = alltrue([for name in var.functions : can(regex("^[a-z][a-z0-9-]{1,47}[a-z0-9]$", name))])
    error_message = "A function's name is 3 to 49 lower-case letters, digits and dashes."
  }
  validation {
    condition     = length(setsubtract(var.functions, keys(local.functions))) == 0
    error_message = "permissions.json does not name these functions: ${join(", ", setsubtract(var.functions, keys(local.functions)))}."
  }
}
