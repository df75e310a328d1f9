variable "blocked_addresses" {
  description = "CIDR ranges that are answered with 403."
  type        = set(string)
  default     = []
  nullable    = false

  validation {
    condition     = alltrue([for range in var.blocked_addresses : can(cidrhost(range, 0))])
    error_message = "An address is a CIDR range, for example 192.0.2.7/32."
  }
  validation {
    condition     = length(var.blocked_addresses) <= 100
    error_message = "At most 100 ranges can be blocked: ten rules of ten."
  }
}

variable "candidate_hosts" {
  description = "Host names of the two APIs of the next release. Without them nothing leads to revisions without traffic."
  type = object({
    data  = string
    users = string
  })
  default = null

  validation {
    condition     = var.candidate_hosts == null || alltrue([for host in values(coalesce(var.candidate_hosts, { data = "", users = "" })) : can(regex("^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\\.)+[a-z]{2,63}$", host)) && length(host) <= 63])
    error_message = "A host is a full domain name in lower case, at most 63 characters, for example data-candidate.example.com."
  }
  validation {
    condition     = var.candidate_hosts == null || length(distinct(concat(values(var.hosts), values(coalesce(var.candidate_hosts, { data = "", users = "" }))))) == 4
    error_message = "A candidate has a host of its own."
  }
}

variable "console_backend" {
  description = "Id of the backend bucket of the web console, which is served under /console/ of the Users API's host."
  type        = string
  nullable    = false
}

variable "dns_zone" {
  description = "Cloud DNS zone of the hosts, and its project if it is another. Without it, the operator creates the records."
  type = object({
    name       = string
    project_id = optional(string)
  })
  default = null
}

variable "endpoints" {
  description = "Functions behind the load balancer: name of the Cloud Run service by name of the function."
  type        = map(string)
  nullable    = false
}

variable "hosts" {
  description = "Host names of the two APIs."
  type = object({
    data  = string
    users = string
  })
  nullable = false

  validation {
    condition     = alltrue([for host in values(var.hosts) : can(regex("^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\\.)+[a-z]{2,63}$", host)) && length(host) <= 63])
    error_message = "A host is a full domain name in lower case, at most 63 characters, for example data.example.com."
  }
  validation {
    condition     = var.hosts.data != var.hosts.users
    error_message = "The two APIs need different hosts: both have an /openapi.json."
  }
}

variable "labels" {
  description = "Labels of addresses and forwarding rules, for the bill."
  type        = map(string)
  default     = {}
  nullable    = false
}

variable "otherwise" {
  description = "For each API the function that answers requests which no route matches."
  type        = map(string)
  nullable    = false

  validation {
    condition     = length(setsubtract(values(var.otherwise), keys(var.endpoints))) == 0 && length(setsubtract(["data", "users"], keys(var.otherwise))) == 0
    error_message = "Each API needs an endpoint that answers requests which no route matches."
  }
}

variable "project_id" {
  description = "Project of the functions."
  type        = string
  nullable    = false
}

variable "region" {
  description = "Region of the functions."
  type        = string
  nullable    = false
}

variable "requests_per_minute" {
  description = "Requests a minute that an endpoint accepts from one key, and from one address without a key. A function's own limit is per customer, 100 a second on each instance."
  type = object({
    address = optional(number, 300)
    key     = optional(number, 1200)
  })
  default  = {}
  nullable = false

  validation {
    condition     = alltrue([for count in values(var.requests_per_minute) : count >= 1 && count <= 1000000 && floor(count) == count])
    error_message = "A limit is 1 to 1,000,000 requests a minute."
  }
}

variable "routes" {
  description = "Route rules for each API: the output of modules/catalogue."
  type = map(list(object({
    allow               = optional(string)
    full_path_match     = optional(string)
    function            = string
    method              = optional(string)
    path_template_match = optional(string)
    priority            = number
  })))
  nullable = false

  validation {
    condition     = alltrue([for rules in values(var.routes) : length(rules) + length([for rule in rules : rule if rule.method != null]) <= 1000])
    error_message = "A path matcher has at most 1,000 conditions, paths and methods together (https://cloud.google.com/load-balancing/docs/quotas#url_maps)."
  }
  validation {
    condition     = alltrue([for rules in values(var.routes) : length([for rule in rules : rule if rule.path_template_match != null]) <= 100])
    error_message = "A path matcher has at most 100 path templates (https://cloud.google.com/load-balancing/docs/quotas#url_maps)."
  }
  validation {
    condition     = length(setsubtract([for rule in flatten(values(var.routes)) : rule.function], keys(var.endpoints))) == 0
    error_message = "A route must lead to an endpoint."
  }
}
