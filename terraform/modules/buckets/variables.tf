variable "cors" {
  description = "Pages that may read exports from a browser, by origin: the methods, the headers that they may send and read, and the seconds for which a browser keeps that."
  type = object({
    headers         = list(string)
    max_age_seconds = number
    methods         = list(string)
    origins         = set(string)
  })
  default  = { headers = [], max_age_seconds = 0, methods = [], origins = [] }
  nullable = false

  validation {
    condition     = alltrue([for origin in var.cors.origins : can(regex("^https?://[A-Za-z0-9_.:-]+$", origin))])
    error_message = "An origin is a scheme and a host, for example https://maps.example.com. Not every page may read customers' files."
  }
  validation {
    condition     = length(setsubtract(var.cors.methods, ["GET", "HEAD"])) == 0
    error_message = "A page may only read exports."
  }
}

variable "is_protected" {
  description = "Whether buckets that hold anything refuse to be deleted."
  type        = bool
  default     = true
  nullable    = false
}

variable "kms_key" {
  description = "Key that encrypts new objects of the buckets (projects/…/cryptoKeys/…), in their region. Null: Google's own."
  type        = string
  default     = null

  validation {
    condition     = var.kms_key == null || can(regex("^projects/[^/]+/locations/[^/]+/keyRings/[^/]+/cryptoKeys/[^/]+$", var.kms_key))
    error_message = "A key is projects/PROJECT/locations/LOCATION/keyRings/RING/cryptoKeys/KEY."
  }
}

variable "labels" {
  description = "Labels of every bucket, for the bill."
  type        = map(string)
  default     = {}
  nullable    = false
}

variable "log_retention_days" {
  description = "Days for which audit logs are kept."
  type        = number
  default     = 400
  nullable    = false

  validation {
    condition     = var.log_retention_days == floor(var.log_retention_days) && var.log_retention_days >= 30 && var.log_retention_days <= 3650
    error_message = "Audit logs are kept for 30 to 3650 whole days."
  }
}

variable "names" {
  description = "Names of the buckets, which are global."
  type = object({
    exports          = string
    function_sources = string
    logs             = string
  })
  nullable = false

  validation {
    condition     = alltrue([for name in values(var.names) : can(regex("^[a-z0-9][a-z0-9_-]{1,61}[a-z0-9]$", name))])
    error_message = "A bucket's name must be 3 to 63 lower-case letters, digits, dashes and underscores, and begin and end with a letter or digit."
  }
}

variable "project_id" {
  description = "Project of the buckets."
  type        = string
  nullable    = false
}

variable "region" {
  description = "Region of the buckets. EXPORT DATA writes only to a bucket in its dataset's location."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^[a-z]+-[a-z]+[0-9]+$", var.region))
    error_message = "The region must be a region of Google Cloud, for example europe-north1."
  }
}

variable "result_retention_days" {
  description = "Retention of a job's results, in days: RETENTION_MS of shared/jobs/job-state.ts."
  type        = number
  default     = 30
  nullable    = false

  validation {
    condition     = var.result_retention_days == floor(var.result_retention_days) && var.result_retention_days >= 30
    error_message = "The service promises results for 30 days: the bucket must not remove them sooner."
  }
}
