variable "backup_retention_days" {
  description = "Retention of daily and weekly backups, in days; 0 turns them off."
  type = object({
    daily  = optional(number, 7)
    weekly = optional(number, 98)
  })
  default  = {}
  nullable = false

  validation {
    condition     = alltrue([for days in values(var.backup_retention_days) : days == floor(days) && days >= 0 && days <= 98])
    error_message = "Firestore keeps a backup for whole days, at most 98 (14 weeks)."
  }
}

variable "database" {
  description = "Name of the database. The functions use two: FIRESTORE_DATABASE and FIRESTORE_USAGE_DATABASE."
  type        = string
  default     = "(default)"
  nullable    = false

  validation {
    condition     = var.database == "(default)" || can(regex("^[a-z][a-z0-9-]{2,61}[a-z0-9]$", var.database))
    error_message = "The database must be (default), or 4 to 63 lower-case letters, digits and dashes."
  }
}

variable "definitions_folder" {
  description = "Folder with the file of indexes and firestore.rules, the files that the emulator and the tests read too."
  type        = string
  nullable    = false

  validation {
    condition     = alltrue([for name in [var.indexes, "firestore.rules"] : fileexists("${var.definitions_folder}/${name}")])
    error_message = "The folder must hold ${var.indexes} and firestore.rules."
  }
}

variable "indexes" {
  description = "Name of the file of indexes in the folder."
  type        = string
  default     = "firestore.indexes.json"
  nullable    = false
}

variable "is_protected" {
  description = "Whether the database refuses to be deleted, also by Terraform."
  type        = bool
  default     = true
  nullable    = false
}

variable "kms_key" {
  description = "Key that encrypts the database and its backups (projects/…/cryptoKeys/…), in the database's location; for eur3 in the location `europe`. It cannot be changed later. Null: Google's own."
  type        = string
  default     = null

  validation {
    condition     = var.kms_key == null || can(regex("^projects/[^/]+/locations/[^/]+/keyRings/[^/]+/cryptoKeys/[^/]+$", var.kms_key))
    error_message = "A key is projects/PROJECT/locations/LOCATION/keyRings/RING/cryptoKeys/KEY."
  }
}

variable "location" {
  description = "Location of the database: a region, or the multi-region eur3, which survives the loss of a region. It cannot be changed later."
  type        = string
  nullable    = false

  validation {
    condition     = contains(["eur3", "nam5"], var.location) || can(regex("^[a-z]+-[a-z]+[0-9]+$", var.location))
    error_message = "The location must be a region of Google Cloud, for example europe-north1, or a multi-region of Firestore, eur3 or nam5."
  }
}

variable "point_in_time_recovery" {
  description = "Whether any minute of the last seven days can be restored. Old versions are then stored and billed for that time."
  type        = bool
  default     = true
  nullable    = false
}

variable "project_id" {
  description = "Project of the database."
  type        = string
  nullable    = false
}
