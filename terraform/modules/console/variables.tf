variable "base_map" {
  description = "Base map instead of the built-in one: an address of a PMTiles archive or of a style document, and the other origins that it needs (tiles, sprites). null for the built-in one."
  type = object({
    kind    = string
    url     = string
    origins = optional(set(string), [])
  })
  default = null

  validation {
    condition     = var.base_map == null || contains(["pmtiles", "style"], try(var.base_map.kind, ""))
    error_message = "kind must be pmtiles or style."
  }

  validation {
    condition     = var.base_map == null || can(regex("^(https://[^/]+)?/", var.base_map.url))
    error_message = "url must be an https address, or a path of the console's own host, for example /console/base.pmtiles."
  }

  validation {
    condition     = var.base_map == null || alltrue([for origin in try(var.base_map.origins, []) : can(regex("^https://[A-Za-z0-9_.*:-]+$", origin))])
    error_message = "origins must be like https://tiles.example.com."
  }
}

variable "base_urls" {
  description = "Base URLs of the two APIs, which the console calls."
  type = object({
    data  = string
    users = string
  })
  nullable = false
}

variable "bucket" {
  description = "Name of the bucket with the console's files."
  type        = string
  nullable    = false
}

variable "export_bucket" {
  description = "Name of the bucket of customers' exports, from which the console downloads with the customer's own token."
  type        = string
  nullable    = false
}

variable "files_folder" {
  description = "Folder with the built files and files.json (npm run bundle)."
  type        = string
  nullable    = false
}

variable "headers_file" {
  description = "Headers of every file: infra/console-headers.json, which the local service reads too."
  type        = string
  nullable    = false
}

variable "is_protected" {
  description = "Whether the bucket refuses to be deleted while it has files."
  type        = bool
  default     = true
  nullable    = false
}

variable "labels" {
  description = "Labels of the bucket, for the bill."
  type        = map(string)
  default     = {}
  nullable    = false
}

variable "project_id" {
  description = "Project of the bucket and the load balancer."
  type        = string
  nullable    = false
}

variable "region" {
  description = "Region of the bucket."
  type        = string
  nullable    = false
}

variable "tick_seconds" {
  description = "How often headcounts are measured."
  type        = number
  default     = 300
  nullable    = false
}
