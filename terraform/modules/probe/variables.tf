variable "image" {
  description = "The image of all functions, which has the smoke test."
  type        = string
  nullable    = false
}

variable "labels" {
  description = "Labels of all resources of this module that support labels."
  type        = map(string)
  default     = {}
  nullable    = false
}

variable "members" {
  description = "Members of the policies of this module's resources: the output of modules/environment-plan."
  type = object({
    probe_job    = map(object({ member = string, name = string, role = string }))
    probe_secret = map(object({ member = string, name = string, role = string }))
  })
  nullable = false
}

variable "probe" {
  description = "The jobs, their accounts and the secret: the output of modules/environment-plan."
  type = object({
    caller = object({ account_id = string, email = string })
    jobs   = map(object({ args = list(string), cron = string, region = string }))
    runner = object({ account_id = string, email = string })
    secret = string
  })
  nullable = false
}

variable "project_id" {
  description = "Project of the functions."
  type        = string
  nullable    = false
}

variable "queue_region" {
  description = "Region of the schedules."
  type        = string
  nullable    = false
}
