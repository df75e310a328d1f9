variable "definitions_file" {
  description = "infra/generated/tables.json, which `npm run generate` derives from infra/warehouse/*.sql."
  type        = string
  nullable    = false

  validation {
    condition     = can(jsondecode(file(var.definitions_file)).tables)
    error_message = "The file must be the tables.json that `npm run generate` writes."
  }
}

variable "is_protected" {
  description = "Whether tables, and datasets that hold any, refuse to be deleted."
  type        = bool
  default     = true
  nullable    = false
}

variable "kms_keys" {
  description = "Keys that encrypt new tables: of datasets in the region (a key of that region), and of those in the multi-region EU (a key of the location `europe`). Null: Google's own."
  type = object({
    eu     = string
    region = string
  })
  default = null

  validation {
    condition     = var.kms_keys == null || alltrue([for key in values(coalesce(var.kms_keys, { eu = "", region = "" })) : can(regex("^projects/[^/]+/locations/[^/]+/keyRings/[^/]+/cryptoKeys/[^/]+$", key))])
    error_message = "A key is projects/PROJECT/locations/LOCATION/keyRings/RING/cryptoKeys/KEY."
  }
}

variable "labels" {
  description = "Labels of every dataset and table, for the bill."
  type        = map(string)
  default     = {}
  nullable    = false
}

variable "loader_id" {
  description = "Id of the service account as which the provider's data is loaded."
  type        = string
  nullable    = false
}

variable "members" {
  description = "Members of the datasets, and those that act as the loader's account: a part of the output of modules/environment-plan. Do not use google_bigquery_dataset_iam_*: it would remove the authorised views."
  type = object({
    dataset = map(object({
      email = string
      name  = string
      role  = string
    }))
    loader_account = map(object({ member = string, role = string }))
  })
  nullable = false

  validation {
    condition     = alltrue([for one in values(var.members.dataset) : can(regex("^(roles/bigquery\\.|projects/[^/]+/roles/)[A-Za-z0-9_.]+$", one.role))])
    error_message = "A role on a dataset is a BigQuery role (roles/bigquery.…) or a custom one (projects/…/roles/…), never a basic one."
  }
  validation {
    condition     = alltrue([for one in values(var.members.dataset) : endswith(one.email, ".gserviceaccount.com")])
    error_message = "Only service accounts are granted datasets."
  }
}

variable "project_id" {
  description = "Project of the datasets."
  type        = string
  nullable    = false
}

variable "ready" {
  description = "The accounts of the members, which must exist first."
  type        = any
  default     = null
}

variable "region" {
  description = "Location of the datasets, except those of the multi-region EU, which linked datasets need."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^[a-z]+-[a-z]+[0-9]+$", var.region))
    error_message = "The region must be a region of Google Cloud, for example europe-north1."
  }
}

variable "time_travel_hours" {
  description = "Hours for which deleted or overwritten data can be restored, except raw counts, which have the platform's minimum. Short, because deleted customers must be gone and batches can be loaded again."
  type        = number
  default     = 48
  nullable    = false

  validation {
    condition     = contains([48, 72, 96, 120, 144, 168], var.time_travel_hours)
    error_message = "BigQuery's time travel window is 48, 72, 96, 120, 144 or 168 hours."
  }
}
