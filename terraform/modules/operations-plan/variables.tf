variable "endpoints" {
  description = "Names of the deployed endpoints, and of their backends behind the load balancer."
  type        = set(string)
  nullable    = false
}

variable "log_metrics" {
  description = "The log-based metrics: `infra/generated/log-metrics.json`."
  type = object({
    alerts        = map(string)
    counters      = map(object({ description = string, filter = string }))
    distributions = map(object({ bounds = list(number), description = string, field = string, filter = string, unit = string }))
  })
  nullable = false

  validation {
    condition     = alltrue(flatten([for one in values(var.log_metrics.distributions) : [for index in range(1, length(one.bounds)) : one.bounds[index] > one.bounds[index - 1]]]))
    error_message = "The bounds of buckets rise."
  }
}

variable "objectives" {
  description = "The journeys, their objectives and the burn rates that alert: `infra/generated/objectives.json`."
  type = object({
    burn_rates = map(object({ long_seconds = number, rate = number, severity = string, short_seconds = number }))
    journeys   = map(object({ endpoints = list(string), title = string }))
    objectives = map(object({
      events_min = number
      goal       = number
      journey    = string
      measure = object({
        endpoint     = optional(string)
        good         = optional(string)
        kind         = string
        metric       = optional(string)
        milliseconds = optional(number)
        most         = optional(number)
        total        = optional(string)
      })
      runbook = string
      title   = string
    }))
  })
  nullable = false

  validation {
    condition     = alltrue([for one in values(var.objectives.objectives) : one.goal > 0 && one.goal < 1])
    error_message = "A goal is a share: more than 0 and less than 1, since a goal of 1 leaves no budget to burn."
  }
  validation {
    condition     = alltrue([for one in values(var.objectives.objectives) : contains(["availability", "distribution", "latency", "ratio"], one.measure.kind)])
    error_message = "An objective is measured by availability, distribution, latency or ratio."
  }
  validation {
    condition     = length(setsubtract([for one in values(var.objectives.objectives) : one.journey], keys(var.objectives.journeys))) == 0
    error_message = "An objective belongs to one of the journeys."
  }
  validation {
    condition     = length(setsubtract(flatten([for one in values(var.objectives.objectives) : compact([one.measure.metric, one.measure.good, one.measure.total])]), concat(keys(var.log_metrics.counters), keys(var.log_metrics.distributions)))) == 0
    error_message = "An objective is measured by a log metric that does not exist."
  }
  validation {
    condition     = alltrue(flatten([for one in values(var.objectives.objectives) : [for speed in values(var.objectives.burn_rates) : speed.rate * (1 - one.goal) < 1]]))
    error_message = "An alert at such a burn rate would never fire: more than all events would have to be bad."
  }
}

variable "url_map" {
  description = "Name of the load balancer's URL map, which its metrics are labelled with."
  type        = string
  nullable    = false
}
