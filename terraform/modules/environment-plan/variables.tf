variable "bytes_billed_max" {
  description = "The most bytes that one query of the service may bill."
  type        = number
  nullable    = false

  validation {
    condition     = var.bytes_billed_max >= 10485760 && floor(var.bytes_billed_max) == var.bytes_billed_max
    error_message = "A query bills at least 10 MiB, so no query could run."
  }
}

variable "cors_origins" {
  description = "Origins of pages that may call the APIs from a browser."
  type        = set(string)
  default     = []
  nullable    = false

  validation {
    condition     = alltrue([for origin in var.cors_origins : can(regex("^https?://[A-Za-z0-9_.:-]+$", origin))])
    error_message = "An origin is a scheme, a host and an optional port, for example https://maps.example.com."
  }
}

variable "delivery_project" {
  description = "Project of the customers' service accounts, datasets and listings; it may be this one."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^[a-z][a-z0-9-]{4,28}[a-z0-9]$", var.delivery_project))
    error_message = "A project's id has 6 to 30 lower-case letters, digits and dashes."
  }
}

variable "environment" {
  description = "The environment's name. It is part of a key's hash: keys of one environment are unknown in the other."
  type        = string
  nullable    = false

  validation {
    condition     = contains(["dev", "prod"], var.environment)
    error_message = "The environment is dev or prod."
  }
}

variable "hosts" {
  description = "Host names of the two APIs. modules/load-balancer checks them."
  type = object({
    data  = string
    users = string
  })
  nullable = false
}

variable "ingress" {
  description = "How endpoints can be reached: only through the load balancer (ALLOW_INTERNAL_AND_GCLB), or also at their own URLs (ALLOW_ALL)."
  type        = string
  nullable    = false

  validation {
    condition     = contains(["ALLOW_ALL", "ALLOW_INTERNAL_AND_GCLB"], var.ingress)
    error_message = "Ingress of endpoints is ALLOW_INTERNAL_AND_GCLB or ALLOW_ALL."
  }
  validation {
    condition     = var.environment != "prod" || var.ingress == "ALLOW_INTERNAL_AND_GCLB"
    error_message = "In production no request may bypass the load balancer and its rate limits."
  }
}

variable "interactive_bytes_max" {
  description = "The most bytes that one query of a request that waits for it may read. The day's bytes of a customer are a quota of that customer."
  type        = number
  nullable    = false

  validation {
    condition     = var.interactive_bytes_max >= 1000000000 && floor(var.interactive_bytes_max) == var.interactive_bytes_max
    error_message = "A query of a request may read 1 GB at least, in whole bytes."
  }
}

variable "loaders" {
  description = "Who loads the provider's data, as the loader's account: user:…, group:… or serviceAccount:…. They read raw counts."
  type        = set(string)
  default     = []
  nullable    = false

  validation {
    condition     = alltrue([for one in var.loaders : can(regex("^(user|group|serviceAccount|principal):[^ *]+$", one))])
    error_message = "A loader is one identity: user:…, group:…, serviceAccount:… or principal:…, never everybody, a domain or a set."
  }
}

variable "patterns" {
  description = "Patterns of the environment variables that the functions read, by name; null for any text: `infra/generated/environment-variables.json`, decoded."
  type        = map(string)
  nullable    = false
}

variable "project_id" {
  description = "Project of the functions, the data and the exports."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^[a-z][a-z0-9-]{4,28}[a-z0-9]$", var.project_id))
    error_message = "A project's id has 6 to 30 lower-case letters, digits and dashes."
  }
}

variable "project_number" {
  description = "The project's number, which is part of the service agents' names."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^[0-9]+$", var.project_number))
    error_message = "A project's number has only digits."
  }
}

variable "query_price" {
  description = "Price for estimates: per TiB billed by a query, in the region, and its currency."
  type = object({
    currency = string
    per_tib  = number
  })
  nullable = false

  validation {
    condition     = can(regex("^[A-Z]{3}$", var.query_price.currency)) && var.query_price.per_tib >= 0
    error_message = "A price is not negative, and its currency is three letters (ISO 4217)."
  }
}

variable "queue_region" {
  description = "Region of the queue and the schedules, which exist in fewer regions than functions (https://cloud.google.com/tasks/docs/locations). Tasks hold only job ids."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^[a-z]+-[a-z]+[0-9]+$", var.queue_region))
    error_message = "The region must be a region of Google Cloud, for example europe-west1."
  }
}

variable "rate" {
  description = "Rate limit per customer of one instance of a function: requests a second, and the burst."
  type = object({
    burst      = number
    per_second = number
  })
  nullable = false

  validation {
    condition     = var.rate.burst >= 1 && floor(var.rate.burst) == var.rate.burst && var.rate.per_second >= 0.1
    error_message = "A burst is a whole number of requests, and the rate at least one request in ten seconds."
  }
}

variable "region" {
  description = "Region of the functions and the data."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^[a-z]+-[a-z]+[0-9]+$", var.region))
    error_message = "The region must be a region of Google Cloud, for example europe-north1."
  }
}

variable "sizing" {
  description = "Overrides for the table of kinds (modules/catalogue/kinds.tf) in this environment, by kind."
  type = map(object({
    instances       = optional(number)
    concurrency     = optional(number)
    cpu             = optional(string)
    memory          = optional(string)
    timeout_seconds = optional(number)
  }))
  default  = {}
  nullable = false
}

variable "withheld" {
  description = "Endpoints that this environment does not have yet, by function name. Their paths answer 404."
  type        = set(string)
  default     = []
  nullable    = false
}
