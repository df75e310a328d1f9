variable "account_id" {
  description = "Id of the function's own service account."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^[a-z][a-z0-9-]{4,28}[a-z0-9]$", var.account_id))
    error_message = "The id of a service account is 6 to 30 lower-case letters, digits and dashes."
  }
}

variable "build" {
  description = "The repository of the function's image, and the service account of the build (projects/…/serviceAccounts/…)."
  type = object({
    repository      = string
    service_account = string
  })
  nullable = false
}

variable "bundle" {
  description = "The function's archive, built by `npm run bundle`."
  type        = string
  nullable    = false

  validation {
    condition     = fileexists(var.bundle)
    error_message = "${var.bundle} does not exist: run npm run bundle first."
  }
}

variable "entry" {
  description = "The function's source file, shown in the console."
  type        = string
  nullable    = false
}

variable "environment_variables" {
  description = "Environment variables, read by `shared/runtime/config.ts`."
  type        = map(string)
  nullable    = false
}

variable "ingress" {
  description = "Ingress: the networks from which the function can be reached."
  type        = string
  nullable    = false

  validation {
    condition     = contains(["ALLOW_ALL", "ALLOW_INTERNAL_AND_GCLB", "ALLOW_INTERNAL_ONLY"], var.ingress)
    error_message = "Ingress is ALLOW_ALL, ALLOW_INTERNAL_AND_GCLB or ALLOW_INTERNAL_ONLY."
  }
}

variable "invoker" {
  description = "The one member that may call the function: allUsers, or serviceAccount:…"
  type        = string
  nullable    = false

  validation {
    condition     = var.invoker == "allUsers" ? var.ingress != "ALLOW_INTERNAL_ONLY" : var.ingress == "ALLOW_INTERNAL_ONLY" && startswith(var.invoker, "serviceAccount:")
    error_message = "The invoker is allUsers (endpoints) or one service account (internal functions)."
  }
}

variable "kind" {
  description = "How the function runs: a row of the table of kinds."
  type = object({
    name            = string
    concurrency     = number
    cpu             = string
    instances       = number
    memory          = string
    timeout_seconds = number
  })
  nullable = false
}

variable "labels" {
  description = "Labels of the function, for the bill."
  type        = map(string)
  default     = {}
  nullable    = false
}

variable "name" {
  description = "Name of the function, as in functions.json."
  type        = string
  nullable    = false
}

variable "project_id" {
  description = "Project of the function."
  type        = string
  nullable    = false
}

variable "ready" {
  description = "The account that may call the function, which must exist first."
  type        = any
  default     = null
}

variable "region" {
  description = "Region of the function."
  type        = string
  nullable    = false
}

variable "runtime" {
  description = "The functions' Node.js runtime."
  type        = string
  default     = "nodejs24"
  nullable    = false
}

variable "source_bucket" {
  description = "Bucket of the functions' archives."
  type        = string
  nullable    = false
}
