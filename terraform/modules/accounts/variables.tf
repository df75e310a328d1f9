variable "called" {
  description = "Functions that exactly one identity may call: workers and scheduled functions."
  type        = set(string)
  nullable    = false

  validation {
    condition     = length(setsubtract(var.called, var.functions)) == 0
    error_message = "A function in `called` must be one of the functions."
  }
}

variable "functions" {
  description = "Names of the functions that are deployed."
  type        = set(string)
  nullable    = false

  validation {
    condition     = alltrue([for name in var.functions : can(regex("^[a-z][a-z0-9-]{1,47}[a-z0-9]$", name))])
    error_message = "A function's name is 3 to 49 lower-case letters, digits and dashes."
  }
}
