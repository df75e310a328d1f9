variable "alert_emails" {
  description = "Recipients of alerts: addresses of people or, better, of a mailing list."
  type        = set(string)
  nullable    = false
}

variable "arrival_hour" {
  description = "Hour of a country's day, 0 to 23, by which the data of the day before must have arrived in the landing bucket: later it is alerted on. Null: nothing is expected."
  type        = number
  default     = null
}

variable "audit_retention_days" {
  description = "Days for which the audit log can be searched. Its files are kept longer (modules/buckets)."
  type        = number
  default     = 90
  nullable    = false
}

variable "blocked_addresses" {
  description = "CIDR ranges that the load balancer answers with 403."
  type        = set(string)
  default     = []
  nullable    = false
}

variable "budget" {
  description = "Monthly budget, in the currency of the billing account (its id, 000000-000000-000000). Without it there is no budget."
  type = object({
    amount          = number
    billing_account = string
  })
  default = null
}

variable "bundles_folder" {
  description = "Folder of what `npm run bundle` writes: the web console."
  type        = string
  nullable    = false
}

variable "bytes_billed_max" {
  description = "The most bytes that one query of the service may bill."
  type        = number
  default     = 1099511627776
  nullable    = false
}

variable "candidate_hosts" {
  description = "Host names under which `scripts/deploy` tests a release before it gets traffic. Without them a release gets its first traffic untested, which only dev may."
  type = object({
    data  = string
    users = string
  })
  default = null
}

variable "ci" {
  description = "The repository on GitHub whose workflows plan and apply, by name (OWNER/NAME) and number: a name can be taken over, a number cannot. Without it there are no such accounts."
  type = object({
    repository    = string
    repository_id = string
  })
  default = null
}

variable "commit" {
  description = "The commit that is deployed: a label of each revision."
  type        = string
  nullable    = false
}

variable "console_base_map" {
  description = "Base map of the web console instead of the built-in one: a PMTiles archive or a style document (kind), and the other origins that it needs."
  type = object({
    kind    = string
    url     = string
    origins = optional(set(string), [])
  })
  default = null
}

variable "cors_origins" {
  description = "Origins of pages that may call the APIs and read exports from a browser."
  type        = set(string)
  default     = []
  nullable    = false
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
}

variable "delivery_project" {
  description = "Project of the customers' service accounts, datasets and listings; it may be this one."
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

variable "endpoint_access" {
  description = "How anyone may call the endpoints, which check keys themselves: Cloud Run checks no caller (NO_INVOKER_CHECK), or allUsers pass its check (ALL_USERS). Organisations forbid one or the other."
  type        = string
  default     = "NO_INVOKER_CHECK"
  nullable    = false
}

variable "environment" {
  description = "The environment's name. It is part of a key's hash: keys of one environment are unknown in the other."
  type        = string
  nullable    = false
}

variable "firestore_export" {
  description = "Where Firestore is exported to each night, if its location is one region: a location other than that, a key of that location (null: Google's own), and for how many days exports are kept. Null: no exports."
  type = object({
    kms_key        = optional(string)
    location       = string
    retention_days = optional(number, 3)
  })
  default = null
}

variable "firestore_location" {
  description = "Location of Firestore: eur3 survives the loss of a region. Defaults to the region. It cannot be changed later."
  type        = string
  default     = null
}

variable "hosts" {
  description = "Host names of the two APIs."
  type = object({
    data  = string
    users = string
  })
  nullable = false
}

variable "image" {
  description = "The image of all functions, by digest, in the project's registry."
  type        = string
  nullable    = false
}

variable "ingress" {
  description = "How endpoints can be reached: only through the load balancer (INGRESS_TRAFFIC_INTERNAL_LOAD_BALANCER), or also at their own URLs (INGRESS_TRAFFIC_ALL)."
  type        = string
  default     = "INGRESS_TRAFFIC_INTERNAL_LOAD_BALANCER"
  nullable    = false
  validation {
    condition     = var.environment != "prod" || var.ingress == "INGRESS_TRAFFIC_INTERNAL_LOAD_BALANCER"
    error_message = "In production no request may bypass the load balancer and its rate limits."
  }
}

variable "interactive_bytes_max" {
  description = "The most bytes that one query of a request that waits for it may read. The day's bytes of a customer are a quota of that customer."
  type        = number
  default     = 100000000000
  nullable    = false
}

variable "is_protected" {
  description = "Whether resources that hold data are protected from deletion, also by Terraform."
  type        = bool
  default     = true
  nullable    = false
}

variable "interactive_reservation" {
  description = "Full name of the BigQuery reservation in which queries run that somebody waits for: projects/PROJECT/locations/REGION/reservations/NAME. Who applies creates a role in that project and grants it. Null: they run where all queries of the project do."
  type        = string
  default     = null
}

variable "kms_keys" {
  description = "Keys for customer-managed encryption, chosen before the first apply: of stores in the region (`region`), and of those in a multi-region (`europe`: Firestore in eur3, datasets in EU). Null: Google's own keys."
  type = object({
    europe = string
    region = string
  })
  default = null
}

variable "labels" {
  description = "Labels of all resources that support labels, in addition to service and environment."
  type        = map(string)
  default     = {}
  nullable    = false
}

variable "loaders" {
  description = "Who loads the provider's data, as the loader's account: user:…, group:… or serviceAccount:…. They read raw counts."
  type        = set(string)
  default     = []
  nullable    = false
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
}

variable "point_in_time_recovery" {
  description = "Whether any minute of Firestore's last seven days can be restored."
  type        = bool
  default     = true
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
}

variable "query_price" {
  description = "Price for estimates: per TiB billed by a query, in the region, and its currency."
  type = object({
    currency = optional(string, "USD")
    per_tib  = optional(number, 6.25)
  })
  default  = {}
  nullable = false
}

variable "queue" {
  description = "The queue's name, its dispatch rate, and the share of its operations that is logged."
  type = object({
    name                  = optional(string, "aggregations")
    concurrent_dispatches = optional(number, 100)
    dispatches_per_second = optional(number, 100)
    logged_share          = optional(number, 0)
  })
  default  = {}
  nullable = false
}

variable "queue_region" {
  description = "Region of the queue and the schedules, which exist in fewer regions than functions (https://cloud.google.com/tasks/docs/locations). Tasks hold only job ids."
  type        = string
  default     = "europe-west1"
  nullable    = false
}

variable "rate" {
  description = "Rate limit per customer of one instance of a function: requests a second, and the burst."
  type = object({
    burst      = optional(number, 500)
    per_second = optional(number, 100)
  })
  default  = {}
  nullable = false
}

variable "region" {
  description = "Region of the functions and the data."
  type        = string
  default     = "europe-north1"
  nullable    = false
}

variable "requests_per_minute" {
  description = "Requests a minute that the load balancer allows per endpoint: for one key, and for one address without a key."
  type = object({
    address = optional(number, 300)
    key     = optional(number, 1200)
  })
  default  = {}
  nullable = false
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

variable "thresholds" {
  description = "Alert thresholds that differ from the defaults in modules/operations/variables.tf."
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
}

variable "withheld" {
  description = "Endpoints that this environment does not have yet, by function name. Their paths answer 404."
  type        = set(string)
  default     = []
  nullable    = false
}
