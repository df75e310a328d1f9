variable "alert_emails" {
  description = "Who is told when something is wrong: addresses of people or, better, of a list."
  type        = set(string)
  nullable    = false
}

variable "blocked_addresses" {
  description = "Addresses, as CIDR ranges, that the load balancer answers 403."
  type        = set(string)
  default     = []
  nullable    = false
}

variable "budget" {
  description = "What a month may cost, in the currency of the billing account (its id, 000000-000000-000000); left out, there is no budget."
  type = object({
    amount          = number
    billing_account = string
  })
  default = null
}

variable "bytes_billed_max" {
  description = "The most bytes that one query of the service may bill."
  type        = number
  default     = 1099511627776
  nullable    = false
}

variable "cors_origins" {
  description = "Origins of pages that may call the APIs from a browser."
  type        = set(string)
  default     = []
  nullable    = false
}

variable "delivery_project" {
  description = "Project of the customers' service accounts, datasets and listings; left out, it is this one."
  type        = string
  default     = null
}

variable "dns_zone" {
  description = "The zone of Cloud DNS that the hosts are in, and its project where that is another; left out, you make the records of the output `addresses`."
  type = object({
    name       = string
    project_id = optional(string)
  })
  default = null
}

variable "hosts" {
  description = "Host names of the two APIs."
  type = object({
    data  = string
    users = string
  })
  nullable = false
}

variable "project_id" {
  description = "Project of this environment. No other environment is in it."
  type        = string
  nullable    = false
}

variable "queue" {
  description = "How fast the queue hands jobs to the topic, and which share of its operations is logged."
  type = object({
    concurrent_dispatches = optional(number, 100)
    dispatches_per_second = optional(number, 100)
    logged_share          = optional(number, 0)
  })
  default  = {}
  nullable = false
}

variable "queue_region" {
  description = "Region of the queue and of the schedules, which are in fewer regions than functions (https://cloud.google.com/tasks/docs/locations). Tasks hold ids of jobs only."
  type        = string
  default     = "europe-west1"
  nullable    = false
}

variable "region" {
  description = "Region of the functions and the data."
  type        = string
  default     = "europe-north1"
  nullable    = false
}

variable "requests_per_minute" {
  description = "How many requests a minute the load balancer lets through to an endpoint, of one key, and of one address without a key."
  type = object({
    address = optional(number, 300)
    key     = optional(number, 1200)
  })
  default  = {}
  nullable = false
}

variable "sizing" {
  description = "Cells of the table of kinds (modules/catalogue/kinds.tf) that this environment has otherwise, by kind."
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

variable "thresholds" {
  description = "From where on an alert is sent, where it is not what modules/operations/variables.tf says."
  type = object({
    error_share         = optional(number)
    errors_of_requests  = optional(number)
    errors_of_function  = optional(number)
    message_age_seconds = optional(number)
    query_tib_per_day   = optional(number)
    refusals            = optional(number)
    tick_seconds        = optional(number)
    ticks_missed        = optional(number)
  })
  default  = {}
  nullable = false
}
