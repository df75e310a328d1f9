variable "arrival_hour" {
  description = "Hour of a country's day, 0 to 23, by which the data of the day before must have arrived in the landing bucket: later it is alerted on. Null: nothing is expected."
  type        = number
  default     = null

  validation {
    condition     = var.arrival_hour == null || try(var.arrival_hour >= 0 && var.arrival_hour <= 23 && floor(var.arrival_hour) == var.arrival_hour, false)
    error_message = "An hour of the day is 0 to 23."
  }
}

variable "bytes_billed_max" {
  description = "The most bytes that one query of the service may bill."
  type        = number
  nullable    = false

  validation {
    condition     = var.bytes_billed_max >= 10485760 && floor(var.bytes_billed_max) == var.bytes_billed_max
    error_message = "A query bills at least 10 MiB, so no query could run."
  }
}

variable "candidate_hosts" {
  description = "Host names under which `scripts/deploy` tests a release before it gets traffic. Without them a release gets its first traffic untested, which only dev may."
  type = object({
    data  = string
    users = string
  })
  default = null

  validation {
    condition     = var.environment != "prod" || var.candidate_hosts != null
    error_message = "In production a release is tested before it gets traffic: candidate_hosts names two more hosts."
  }
}

variable "ci" {
  description = "The repository on GitHub whose workflows plan and apply, by name (OWNER/NAME) and number: a name can be taken over, a number cannot. Without it there are no such accounts."
  type = object({
    repository    = string
    repository_id = string
  })
  default = null

  validation {
    condition     = var.ci == null || can(regex("^[A-Za-z0-9-]+/[A-Za-z0-9._-]+$", var.ci.repository)) && can(regex("^[0-9]+$", var.ci.repository_id))
    error_message = "The repository is OWNER/NAME, and its number has only digits (gh api repos/OWNER/NAME --jq .id)."
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

variable "databases" {
  description = "Names of the Firestore databases: the main one that the functions use, that of what is noted about requests, and former main ones that are kept (`kept`) and may still be used."
  type = object({
    kept  = optional(set(string), [])
    main  = optional(string, "(default)")
    usage = optional(string, "usage")
  })
  default  = {}
  nullable = false

  validation {
    condition     = alltrue([for name in concat([var.databases.main, var.databases.usage], tolist(var.databases.kept)) : name == "(default)" || can(regex("^[a-z][a-z0-9-]{2,61}[a-z0-9]$", name))])
    error_message = "A database is (default), or 4 to 63 lower-case letters, digits and dashes."
  }
  validation {
    condition     = length(setunion([var.databases.main, var.databases.usage], var.databases.kept)) == 2 + length(var.databases.kept)
    error_message = "The databases main, usage and kept are different ones."
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

variable "endpoint_access" {
  description = "How anyone may call the endpoints, which check keys themselves: Cloud Run checks no caller (NO_INVOKER_CHECK), or allUsers pass its check (ALL_USERS). Organisations forbid one or the other."
  type        = string
  default     = "NO_INVOKER_CHECK"
  nullable    = false

  validation {
    condition     = contains(["ALL_USERS", "NO_INVOKER_CHECK"], var.endpoint_access)
    error_message = "endpoint_access is NO_INVOKER_CHECK, or ALL_USERS where run.managed.requireInvokerIam is enforced and iam.allowedPolicyMemberDomains is not."
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

variable "firestore_export" {
  description = "Where Firestore is exported to each night, if its location is one region: a location other than that, a key of that location (null: Google's own), and for how many days exports are kept. Null: no exports."
  type = object({
    kms_key        = optional(string)
    location       = string
    retention_days = optional(number, 3)
  })
  default = null

  validation {
    condition     = try(lower(var.firestore_export.location) != var.region, true)
    error_message = "An export in the region of the database is lost with it."
  }
  validation {
    condition     = try(var.firestore_export.retention_days >= 2 && floor(var.firestore_export.retention_days) == var.firestore_export.retention_days, true)
    error_message = "An export is kept for whole days, at least 2: less would leave none for a while."
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
  description = "How endpoints can be reached: only through the load balancer (INGRESS_TRAFFIC_INTERNAL_LOAD_BALANCER), or also at their own URLs (INGRESS_TRAFFIC_ALL)."
  type        = string
  nullable    = false

  validation {
    condition     = contains(["INGRESS_TRAFFIC_ALL", "INGRESS_TRAFFIC_INTERNAL_LOAD_BALANCER"], var.ingress)
    error_message = "Ingress of endpoints is INGRESS_TRAFFIC_INTERNAL_LOAD_BALANCER or INGRESS_TRAFFIC_ALL."
  }
  validation {
    condition     = var.environment != "prod" || var.ingress == "INGRESS_TRAFFIC_INTERNAL_LOAD_BALANCER"
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

variable "interactive_reservation" {
  description = "Full name of the BigQuery reservation in which queries run that somebody waits for: projects/PROJECT/locations/REGION/reservations/NAME. Who applies creates a role in that project and grants it. Null: they run where all queries of the project do."
  type        = string
  default     = null

  validation {
    condition     = var.interactive_reservation == null || can(regex("^projects/[a-z][a-z0-9-]{4,28}[a-z0-9]/locations/${var.region}/reservations/[a-z]([a-z0-9-]{0,62}[a-z0-9])?$", var.interactive_reservation))
    error_message = "A reservation is projects/PROJECT/locations/LOCATION/reservations/RESERVATION, and its location is the region of the data."
  }
}

variable "kms_keys" {
  description = "Keys for customer-managed encryption, in the region and in the multi-region Europe. Null: Google's own keys."
  type = object({
    europe = string
    region = string
  })
  default = null

  validation {
    condition     = var.kms_keys == null || can(regex("^projects/[^/]+/locations/europe/keyRings/[^/]+/cryptoKeys/[^/]+$", var.kms_keys.europe)) && can(regex("^projects/[^/]+/locations/${var.region}/keyRings/[^/]+/cryptoKeys/[^/]+$", var.kms_keys.region))
    error_message = "A key is projects/PROJECT/locations/LOCATION/keyRings/RING/cryptoKeys/KEY; the location of one is the region, of the other europe."
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

variable "min_instances" {
  description = "Instances that are kept, and billed, without a request: of the login, of each endpoint that waits for a warehouse query, and of the realtime data."
  type = object({
    login         = optional(number, 0)
    previews      = optional(number, 0)
    realtime_data = optional(number, 0)
  })
  default  = {}
  nullable = false
}

variable "more_delivery_projects" {
  description = "Further delivery projects, for customers whose service accounts the first has no room for, in the order in which they were added. terraform/customers has the same list."
  type        = list(string)
  default     = []
  nullable    = false

  validation {
    condition     = alltrue([for id in var.more_delivery_projects : can(regex("^[a-z][a-z0-9-]{4,28}[a-z0-9]$", id))])
    error_message = "A project's id has 6 to 30 lower-case letters, digits and dashes."
  }
  validation {
    condition     = length(distinct(concat([var.delivery_project], var.more_delivery_projects))) == 1 + length(var.more_delivery_projects)
    error_message = "A delivery project is listed once."
  }
}

variable "patterns" {
  description = "Patterns of the environment variables that the functions read, by name; null for any text: `infra/generated/environment-variables.json`, decoded."
  type        = map(string)
  nullable    = false
}

variable "probe" {
  description = "Regions from which a customer's journey is tried every five minutes (none: it is not), at least two, and the secret in Secret Manager with the key for it."
  type = object({
    regions = optional(set(string), [])
    secret  = optional(string, "probe-key")
  })
  default  = {}
  nullable = false

  validation {
    condition     = length(var.probe.regions) != 1
    error_message = "Two regions tell a fault of the service from one of a region's network."
  }
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

variable "queue_name" {
  description = "Name of the task queue. A queue that was deleted keeps its name for a week: another one is needed to make it again before."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^[a-z][a-z0-9-]{0,98}[a-z0-9]$", var.queue_name))
    error_message = "A queue's name is 2 to 100 lower-case letters, digits and dashes."
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

variable "traces" {
  description = "Where the functions export traces to: the base URL of an OTLP/HTTP collector that they reach (empty: nowhere), and the share of the traces, from 0 to 1."
  type = object({
    endpoint = optional(string, "")
    share    = optional(number, 1)
  })
  default  = {}
  nullable = false

  validation {
    condition     = var.traces.share >= 0 && var.traces.share <= 1
    error_message = "The share of the traces is between 0 and 1."
  }
}

variable "uploaders" {
  description = "Who uploads the provider's data into the landing bucket, as the uploader's account: user:…, group:…, serviceAccount:… or principal:…."
  type        = set(string)
  default     = []
  nullable    = false

  validation {
    condition     = alltrue([for one in var.uploaders : can(regex("^(user|group|serviceAccount|principal):[^ *]+$", one))])
    error_message = "Uploaders are named one by one: user:…, group:…, serviceAccount:… or principal:…."
  }
}

variable "withheld" {
  description = "Endpoints that this environment does not have yet, by function name. Their paths answer 404."
  type        = set(string)
  default     = []
  nullable    = false
}
