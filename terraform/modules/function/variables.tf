variable "account_id" {
  description = "Id of the function's own service account."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^[a-z][a-z0-9-]{4,28}[a-z0-9]$", var.account_id))
    error_message = "The id of a service account is 6 to 30 lower-case letters, digits and dashes."
  }
}

variable "commit" {
  description = "The commit that the image was built from: a label of the revision."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^[a-z0-9][a-z0-9-]{6,62}$", var.commit))
    error_message = "A commit is a label's value: its id, or its id and -changed."
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

variable "image" {
  description = "The image of all functions, by digest, in the project's own registry."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^[a-z0-9-]+-docker\\.pkg\\.dev/${var.project_id}/[a-z0-9/-]+@sha256:[0-9a-f]{64}$", var.image))
    error_message = "The image is named by its digest (…@sha256:…), in a registry of the project: another project's clean-up must not delete what runs here."
  }
}

variable "ingress" {
  description = "Ingress: the networks from which the function can be reached."
  type        = string
  nullable    = false

  validation {
    condition     = contains(["INGRESS_TRAFFIC_ALL", "INGRESS_TRAFFIC_INTERNAL_LOAD_BALANCER", "INGRESS_TRAFFIC_INTERNAL_ONLY"], var.ingress)
    error_message = "Ingress is INGRESS_TRAFFIC_ALL, INGRESS_TRAFFIC_INTERNAL_LOAD_BALANCER or INGRESS_TRAFFIC_INTERNAL_ONLY."
  }
}

variable "invoker" {
  description = "The one member that may call the function: serviceAccount:… or allUsers. Null: Cloud Run does not check who calls."
  type        = string
  default     = null

  validation {
    condition     = (var.invoker == null ? "allUsers" : var.invoker) == "allUsers" ? var.trigger == "http" : var.trigger != "http" && startswith(var.invoker, "serviceAccount:")
    error_message = "An endpoint is called by allUsers, or without a check; any other function by one service account."
  }
}

variable "kind" {
  description = "How the function runs: a row of the table of kinds, and the instances that it keeps."
  type = object({
    name            = string
    concurrency     = number
    cpu             = string
    instances       = number
    memory          = string
    min_instances   = number
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

variable "trigger" {
  description = "What calls the function: http, topic or schedule. `scripts/deploy` moves the traffic of http step by step, of the others at once."
  type        = string
  nullable    = false

  validation {
    condition     = contains(["http", "topic", "schedule"], var.trigger) && (var.trigger == "http") == (var.ingress != "INGRESS_TRAFFIC_INTERNAL_ONLY")
    error_message = "A trigger is http, topic or schedule; only http is reached from outside of Google."
  }
}
