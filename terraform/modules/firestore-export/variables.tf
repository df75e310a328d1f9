variable "export" {
  description = "What is exported by whom, to where, and for how long it is kept: an output of modules/environment-plan."
  type = object({
    account_id     = string
    bucket         = string
    database       = string
    kms_key        = string
    location       = string
    retention_days = number
  })
  nullable = false
}

variable "is_protected" {
  description = "Whether a bucket with exports refuses to be deleted by Terraform."
  type        = bool
  default     = true
  nullable    = false
}

variable "labels" {
  description = "Labels of the bucket."
  type        = map(string)
  default     = {}
  nullable    = false
}

variable "members" {
  description = "What the exporting account may do: a part of the output of modules/environment-plan."
  type = object({
    nightly_bucket  = map(object({ member = string, role = string }))
    nightly_project = map(object({ member = string, role = string }))
  })
  nullable = false
}

variable "project_id" {
  description = "Project of the database and of the bucket."
  type        = string
  nullable    = false
}

variable "schedule_region" {
  description = "Region of Cloud Scheduler."
  type        = string
  nullable    = false
}
