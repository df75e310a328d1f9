variable "callers" {
  description = "For each worker and each function of the schedule the id of the service account that calls it."
  type        = map(string)
  nullable    = false
}

variable "labels" {
  description = "Labels of topics and subscriptions, for the bill."
  type        = map(string)
  default     = {}
  nullable    = false
}

variable "project_id" {
  description = "Project of the functions."
  type        = string
  nullable    = false
}

variable "project_number" {
  description = "Its number, which the accounts of Google's own services are named by."
  type        = string
  nullable    = false
}

variable "queue" {
  description = "How fast the queue hands jobs to the topic, and which share of its operations is logged."
  type = object({
    name                  = optional(string, "aggregations")
    concurrent_dispatches = optional(number, 100)
    dispatches_per_second = optional(number, 100)
    logged_share          = optional(number, 0)
  })
  default  = {}
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
  description = "Region of the queue and of the schedules: neither Cloud Tasks nor Cloud Scheduler is in every region that has functions."
  type        = string
  nullable    = false
}

variable "ready" {
  description = "Whatever has to be there before anything is called: subscriptions and schedules wait until it is known."
  type        = any
  default     = null
}

variable "region" {
  description = "Region of the functions, in which messages are kept."
  type        = string
  nullable    = false
}

variable "schedules" {
  description = "The functions of the schedule: when they are called, at which URL, and how long they may take."
  type = map(object({
    cron            = string
    every_seconds   = number
    timeout_seconds = number
    url             = string
  }))
  nullable = false
}

variable "topic" {
  description = "The topic that the queue's tasks publish to."
  type        = string
  nullable    = false

  validation {
    condition     = contains([for worker in values(var.workers) : worker.topic], var.topic)
    error_message = "The queue publishes to a topic that a worker is called by."
  }
}

variable "workers" {
  description = "The functions that a topic calls: which topic, their URL, and when a message that fails goes to which topic of dead letters."
  type = map(object({
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
