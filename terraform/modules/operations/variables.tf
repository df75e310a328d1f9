variable "alert_emails" {
  description = "Recipients of alerts: addresses of people or, better, of a mailing list."
  type        = set(string)
  nullable    = false

  validation {
    condition     = alltrue([for email in var.alert_emails : can(regex("^[^@\\s]+@[^@\\s]+\\.[^@\\s]+$", email))])
    error_message = "An alert goes to an email address."
  }
  validation {
    condition     = length(var.alert_emails) <= 5
    error_message = "A budget notifies at most five channels: use the address of a mailing list."
  }
}

variable "archive_bucket" {
  description = "Name of the bucket that keeps the audit log as files."
  type        = string
  nullable    = false
}

variable "audit_retention_days" {
  description = "Days for which the audit log can be searched."
  type        = number
  default     = 90
  nullable    = false

  validation {
    condition     = var.audit_retention_days >= 30 && var.audit_retention_days <= 3650 && floor(var.audit_retention_days) == var.audit_retention_days
    error_message = "The audit log is kept for 30 to 3650 whole days."
  }
}

variable "audited" {
  description = "Kinds of data access entries in the audit log, by service."
  type        = map(set(string))
  nullable    = false
}

variable "budget" {
  description = "Monthly budget, in the currency of the billing account (its id, 000000-000000-000000). Without it there is no budget."
  type = object({
    amount          = number
    billing_account = string
  })
  default = null

  validation {
    condition     = var.budget == null || can(regex("^[0-9A-F]{6}-[0-9A-F]{6}-[0-9A-F]{6}$", var.budget.billing_account))
    error_message = "A billing account is three times six digits and letters A to F, with dashes in between."
  }
  validation {
    condition     = var.budget == null || try(var.budget.amount >= 1 && floor(var.budget.amount) == var.budget.amount, false)
    error_message = "A budget is a whole amount of at least 1."
  }
}

variable "endpoints" {
  description = "Names of the deployed endpoints, and of their backends behind the load balancer."
  type        = set(string)
  nullable    = false
}

variable "environment" {
  description = "The environment's name, used in the alerts' names."
  type        = string
  nullable    = false
}

variable "function_emails" {
  description = "Emails of the functions' service accounts: their data access is not in the audit log."
  type        = set(string)
  nullable    = false
}

variable "functions" {
  description = "Names of the deployed functions, and of their Cloud Run services."
  type        = set(string)
  nullable    = false

  validation {
    condition     = length(setsubtract(["aggregation-sweep", "loading-arrivals", "loading-import", "realtime-refresh"], var.functions)) == 0
    error_message = "The alerts watch aggregation-sweep, loading-arrivals, loading-import and realtime-refresh: without these functions no alert would be sent."
  }
}

variable "hosts" {
  description = "Host names of the APIs, by API."
  type        = map(string)
  nullable    = false
}

variable "labels" {
  description = "Labels of all resources of this module that support labels."
  type        = map(string)
  default     = {}
  nullable    = false
}

variable "log_metrics" {
  description = "The log-based metrics: `infra/generated/log-metrics.json`. modules/operations-plan checks them."
  type = object({
    alerts        = map(string)
    counters      = map(object({ description = string, filter = string }))
    distributions = map(object({ bounds = list(number), description = string, field = string, filter = string, unit = string }))
  })
  nullable = false
}

variable "objectives" {
  description = "The journeys, their objectives and the burn rates that alert: `infra/generated/objectives.json`. modules/operations-plan checks them."
  type        = any
  nullable    = false
}

variable "probes" {
  description = "Names of the jobs that try a customer's journey, by region. Without any there is no alert on them."
  type        = map(string)
  default     = {}
  nullable    = false
}

variable "project_id" {
  description = "Project of the functions."
  type        = string
  nullable    = false
}

variable "project_numbers" {
  description = "Numbers of the projects that the budget counts."
  type        = set(string)
  nullable    = false
}

variable "queue" {
  description = "Name of the task queue."
  type        = string
  nullable    = false
}

variable "region" {
  description = "Location of the audit log."
  type        = string
  nullable    = false
}

variable "subscriptions" {
  description = "Names of the subscriptions whose message age is watched."
  type        = set(string)
  nullable    = false

  validation {
    condition     = length(var.subscriptions) > 0
    error_message = "At least one subscription is needed: without it, nothing would watch the workers."
  }
}

variable "thresholds" {
  description = "Alert thresholds. Shares are between 0 and 1, counts apply to the alert's own window (alerts*.tf)."
  type = object({
    error_share         = optional(number, 0.02)
    errors_of_requests  = optional(number, 5)
    errors_of_function  = optional(number, 10)
    message_age_seconds = optional(number, 900)
    query_tib_per_day   = optional(number, 2)
    refusals            = optional(number, 50)
    tick_seconds        = optional(number, 240)
    ticks_missed        = optional(number, 3)
  })
  default  = {}
  nullable = false

  validation {
    condition     = var.thresholds.error_share > 0 && var.thresholds.error_share < 1
    error_message = "The share of errors is more than 0 and less than 1."
  }
  validation {
    condition = alltrue([
      for count in [var.thresholds.errors_of_requests, var.thresholds.errors_of_function, var.thresholds.refusals] : count >= 1 && floor(count) == count
    ])
    error_message = "A count is a whole number of at least 1."
  }
  validation {
    condition     = var.thresholds.message_age_seconds >= 60 && var.thresholds.message_age_seconds <= 604800
    error_message = "A message is retained for a week: its age is 60 to 604,800 s."
  }
  validation {
    condition     = var.thresholds.query_tib_per_day > 0
    error_message = "The limit on bytes a day must be more than 0."
  }
  validation {
    condition     = var.thresholds.tick_seconds >= 1 && var.thresholds.tick_seconds < 300
    error_message = "Ticks run every 300 s: the limit on a tick's duration must be less."
  }
  validation {
    condition     = contains(range(2, 13), var.thresholds.ticks_missed)
    error_message = "Two to twelve ticks may be missed: a single one is made up for by its retry."
  }
}

variable "url_map" {
  description = "Name of the load balancer's URL map, which its metrics are labelled with."
  type        = string
  nullable    = false
}
