variable "callers" {
  description = "Id of the service account that may call each worker and each scheduled function."
  type        = map(string)
  nullable    = false
}

variable "labels" {
  description = "Labels of topics and subscriptions, for the bill."
  type        = map(string)
  default     = {}
  nullable    = false
}

variable "members" {
  description = "Members of the policies of callers, topics and subscriptions, by function or topic: a part of the output of modules/environment-plan."
  type = object({
    caller                   = map(object({ member = string, role = string }))
    dead_letter_subscription = map(object({ member = string, role = string }))
    dead_letter_topic        = map(object({ member = string, role = string }))
    queue_topic              = map(object({ member = string, role = string }))
  })
  nullable = false
}

variable "project_id" {
  description = "Project of the functions."
  type        = string
  nullable    = false
}

variable "queue" {
  description = "The queue's name, the id of the account as which its tasks publish, its dispatch rate, and the share of its operations that is logged."
  type = object({
    account_id            = string
    name                  = string
    concurrent_dispatches = optional(number, 100)
    dispatches_per_second = optional(number, 100)
    logged_share          = optional(number, 0)
  })
  nullable = false

  validation {
    condition     = var.queue.dispatches_per_second > 0 && var.queue.dispatches_per_second <= 500
    error_message = "A queue dispatches at most 500 tasks a second."
  }
  validation {
    condition     = var.queue.concurrent_dispatches >= 1 && var.queue.concurrent_dispatches <= 5000
    error_message = "A queue dispatches 1 to 5000 tasks at a time."
  }
  validation {
    condition     = var.queue.logged_share >= 0 && var.queue.logged_share <= 1
    error_message = "The logged share is 0 to 1."
  }
}

variable "queue_region" {
  description = "Region of the queue and the schedules: not every region with functions has Cloud Tasks and Cloud Scheduler."
  type        = string
  nullable    = false
}

variable "ready" {
  description = "Resources that must exist before the first call: subscriptions and schedules wait until it is known."
  type        = any
  default     = null
}

variable "region" {
  description = "Region of the functions, in which messages are kept."
  type        = string
  nullable    = false
}

variable "schedules" {
  description = "Scheduled functions: schedule, timeout, URL, and the email of the account that calls it."
  type = map(object({
    caller          = string
    cron            = string
    every_seconds   = number
    timeout_seconds = number
    url             = string
  }))
  nullable = false
}

variable "topics" {
  description = "Names of the topics with a worker, and of those that take dead letters; one topic may be both."
  type = object({
    of_dead_letters = set(string)
    of_workers      = set(string)
  })
  nullable = false
}

variable "workers" {
  description = "Functions that a topic calls: topic, URL, the email of the account that calls it, and when a failing message goes to which dead-letter topic."
  type = map(object({
    caller = string
    dead_letters = optional(object({
      topic                   = string
      max_delivery_attempts   = number
      minimum_backoff_seconds = number
      maximum_backoff_seconds = number
    }))
    topic = string
    url   = string
  }))
  nullable = false
}
