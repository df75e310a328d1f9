variable "alert_emails" {
  description = "Who is told when something is wrong: addresses of people or, better, of a list."
  type        = set(string)
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
