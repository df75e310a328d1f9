variable "is_protected" {
  description = "Whether a bucket that holds anything refuses to be deleted."
  type        = bool
  default     = true
  nullable    = false
}

variable "kms_key" {
  description = "Key that encrypts new objects (projects/…/cryptoKeys/…), in the bucket's region. Null: Google's own."
  type        = string
  default     = null
}

variable "labels" {
  description = "Labels of the bucket, for the bill."
  type        = map(string)
  default     = {}
  nullable    = false
}

variable "members" {
  description = "Members of the bucket, of the topic that it notifies, and those that act as the uploader's account: a part of the output of modules/environment-plan."
  type = object({
    landing_bucket   = map(object({ member = string, role = string }))
    landing_topic    = map(object({ member = string, role = string }))
    uploader_account = map(object({ member = string, role = string }))
  })
  nullable = false
}

variable "name" {
  description = "Name of the bucket, which is global."
  type        = string
  nullable    = false
}

variable "project_id" {
  description = "Project of the bucket."
  type        = string
  nullable    = false
}

variable "ready" {
  description = "The accounts of the other members, which must exist first."
  type        = any
  default     = null
}

variable "region" {
  description = "Region of the bucket. BigQuery loads from a bucket in its dataset's location."
  type        = string
  nullable    = false
}

variable "retention_days" {
  description = "Days after which deliveries and quarantined files are removed: INTAKE_DAYS of shared/publishing/ledger.ts."
  type        = number
  default     = 14
  nullable    = false

  validation {
    condition     = var.retention_days == floor(var.retention_days) && var.retention_days >= 1 && var.retention_days <= 14
    error_message = "Raw counts stay for 14 days at most, in the landing bucket as in intake."
  }
}

variable "topic" {
  description = "Topic that the bucket notifies of its objects (projects/…/topics/…)."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^projects/[^/]+/topics/[^/]+$", var.topic))
    error_message = "A notification names its topic in full: projects/PROJECT/topics/TOPIC. The provider refuses the name alone."
  }
}

variable "uploader_id" {
  description = "Id of the service account as which the provider's deliveries are uploaded."
  type        = string
  nullable    = false
}
