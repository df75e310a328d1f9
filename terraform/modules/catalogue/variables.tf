variable "functions" {
  description = "The functions of the service: `infra/generated/functions.json`, decoded."
  type = list(object({
    name       = string
    entry      = string
    trigger    = string
    api        = optional(string)
    method     = optional(string)
    path       = optional(string)
    topic      = optional(string)
    event_type = optional(string)
    dead_letters = optional(object({
      topic                   = string
      max_delivery_attempts   = number
      minimum_backoff_seconds = number
      maximum_backoff_seconds = number
    }))
    every_seconds = optional(number)
  }))
  nullable = false

  validation {
    condition     = alltrue([for one in var.functions : can(regex("^[a-z][a-z0-9-]{1,47}[a-z0-9]$", one.name))])
    error_message = "A function's name is 3 to 49 lower-case letters, digits and dashes: it is the name of a Cloud Run service too."
  }
  validation {
    condition     = length(distinct([for one in var.functions : one.name])) == length(var.functions)
    error_message = "Two functions have the same name."
  }
  validation {
    condition     = alltrue([for one in var.functions : contains(["http", "topic", "schedule"], one.trigger)])
    error_message = "A function's trigger is http, topic or schedule."
  }
  validation {
    condition = alltrue([
      for one in var.functions : contains(["users", "data"], coalesce(one.api, "-")) && contains(["GET", "POST", "PUT", "PATCH", "DELETE"], coalesce(one.method, "-"))
      if one.trigger == "http"
    ])
    error_message = "An endpoint has an api (users or data) and a method (GET, POST, PUT, PATCH or DELETE)."
  }
  validation {
    condition = alltrue([
      for one in var.functions : can(regex("^(/([A-Za-z0-9._-]+|\\{[A-Za-z_]+\\}))+$", coalesce(one.path, "-"))) && length(coalesce(one.path, "-")) <= 255
      if one.trigger == "http"
    ])
    error_message = "An endpoint's path is segments of letters, digits, dots, dashes and underscores, or {name}; at most 255 characters."
  }
  validation {
    condition     = alltrue([for one in var.functions : length(regexall("\\{", coalesce(one.path, "-"))) <= 5])
    error_message = "A path template of a URL map has at most 5 wildcards."
  }
  validation {
    condition = length(distinct([
      for one in var.functions : join(" ", [for part in [one.api, one.method, one.path] : replace(coalesce(part, "-"), "/\\{[^}]+\\}/", "*")]) if one.trigger == "http"
    ])) == length([for one in var.functions : one if one.trigger == "http"])
    error_message = "Two endpoints have the same api, method and path."
  }
  validation {
    condition = alltrue([
      for api in distinct([for one in var.functions : one.api if one.trigger == "http"]) :
      length([for one in var.functions : one if one.trigger == "http" && one.api == api && one.path == "/openapi.json"]) == 1
    ])
    error_message = "Each API needs one function at /openapi.json: it answers 404 for unknown paths."
  }
  validation {
    condition     = alltrue([for one in var.functions : can(regex("^[a-z][a-z0-9-]{2,254}$", one.topic)) if one.trigger == "topic"])
    error_message = "A function that a topic calls must name the topic."
  }
  validation {
    condition = alltrue([
      for one in var.functions : can(regex("^[a-z][a-z0-9-]{2,254}$", one.dead_letters.topic)) && one.dead_letters.topic != one.topic
      if one.dead_letters != null
    ])
    error_message = "Dead letters need a separate topic."
  }
  validation {
    # What Pub/Sub takes: https://cloud.google.com/pubsub/docs/handling-failures
    condition = alltrue([
      for letters in [for one in var.functions : one.dead_letters if one.dead_letters != null] :
      letters.max_delivery_attempts >= 5 && letters.max_delivery_attempts <= 100 && letters.minimum_backoff_seconds >= 0
      && letters.minimum_backoff_seconds <= letters.maximum_backoff_seconds && letters.maximum_backoff_seconds <= 600
    ])
    error_message = "A message is delivered 5 to 100 times, with a backoff of 0 to 600 s; the minimum must not exceed the maximum."
  }
  validation {
    condition = alltrue([
      for one in var.functions : contains(keys(local.cron_of_minutes), tostring(coalesce(one.every_seconds, 0) / 60)) if one.trigger == "schedule"
    ])
    error_message = "A scheduled function needs every_seconds: whole minutes that divide an hour."
  }
  validation {
    condition     = alltrue([for name in local.previews : contains([for one in var.functions : one.name if one.trigger == "http"], name)])
    error_message = "functions.tf names a preview that is not an endpoint of functions.json."
  }
}

variable "min_instances" {
  description = "Instances that are kept without a request: of the login, of each preview, and of the realtime data."
  type = object({
    login         = optional(number, 0)
    previews      = optional(number, 0)
    realtime_data = optional(number, 0)
  })
  default  = {}
  nullable = false

  validation {
    condition     = alltrue([for count in values(var.min_instances) : contains(range(0, 11), count)])
    error_message = "A function keeps 0 to 10 instances: each is billed all month."
  }
}

variable "sizing" {
  description = "Overrides for the table of kinds (kinds.tf) in this environment, by kind."
  type = map(object({
    instances       = optional(number)
    concurrency     = optional(number)
    cpu             = optional(string)
    memory          = optional(string)
    timeout_seconds = optional(number)
  }))
  default  = {}
  nullable = false

  validation {
    condition     = alltrue([for kind in keys(var.sizing) : contains(keys(local.default_kinds), kind)])
    error_message = "Kinds are endpoint, preview, worker, measurement and schedule."
  }
  validation {
    condition     = alltrue([for cells in var.sizing : contains(range(1, 101), coalesce(cells.instances, 1))])
    error_message = "Instances are 1 to 100: the limit bounds the bill."
  }
  validation {
    condition     = alltrue([for cells in var.sizing : contains(range(1, 1001), coalesce(cells.concurrency, 1))])
    error_message = "Concurrency is 1 to 1000 requests an instance."
  }
  validation {
    condition     = alltrue([for cells in var.sizing : contains(["0.25", "0.5", "1", "2", "4"], coalesce(cells.cpu, "1"))])
    error_message = "CPU is 0.25, 0.5, 1, 2 or 4."
  }
  validation {
    condition = alltrue([
      for kind, cells in var.sizing : tonumber(coalesce(cells.cpu, "1")) >= 1 || coalesce(cells.concurrency, try(local.default_kinds[kind].concurrency, 1)) == 1
    ])
    error_message = "More than one request at a time needs a whole CPU."
  }
  validation {
    condition     = alltrue([for cells in var.sizing : contains(["256Mi", "512Mi", "1Gi", "2Gi", "4Gi"], coalesce(cells.memory, "1Gi"))])
    error_message = "Memory is 256Mi, 512Mi, 1Gi, 2Gi or 4Gi."
  }
  validation {
    # `serve` answers 503 after 50 s; a push is delivered again after 600 s; Cloud Scheduler waits for 1800 s at most.
    condition = alltrue([
      for kind, cells in var.sizing : coalesce(cells.timeout_seconds, 60) > 50 && coalesce(cells.timeout_seconds, 60) <= (kind == "schedule" ? 1800 : 599)
    ])
    error_message = "A timeout is more than 50 s and less than 600 s; for schedules at most 1800 s."
  }
}

variable "withheld" {
  description = "Names of the functions that this environment does not have yet. Their paths answer 404."
  type        = set(string)
  default     = []
  nullable    = false

  validation {
    condition     = alltrue([for name in var.withheld : contains([for one in var.functions : one.name], name)])
    error_message = "A withheld function must be in functions.json."
  }
  validation {
    condition     = alltrue([for one in var.functions : !contains(var.withheld, one.name) if one.trigger != "http" || one.path == "/openapi.json"])
    error_message = "Only endpoints can be withheld, and not /openapi.json, which answers 404 for the others."
  }
}
