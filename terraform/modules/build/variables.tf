variable "labels" {
  description = "Labels of the repository, for the bill."
  type        = map(string)
  default     = {}
  nullable    = false
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
