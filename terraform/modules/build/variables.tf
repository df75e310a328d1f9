variable "account_id" {
  description = "Id of the service account that builds the image of the functions."
  type        = string
  nullable    = false
}

variable "labels" {
  description = "Labels of the repository, for the bill."
  type        = map(string)
  default     = {}
  nullable    = false
}

variable "members" {
  description = "What the account may do in the project and in the repository: a part of the output of modules/environment-plan."
  type = object({
    build_project    = map(object({ condition = optional(object({ expression = string, title = string })), member = string, role = string }))
    build_repository = map(object({ member = string, role = string }))
  })
  nullable = false
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
