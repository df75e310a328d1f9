variable "members" {
  description = "The service agents and the keys with which they encrypt: a part of the output of modules/environment-plan. None where Google's own keys are used."
  type = object({
    kms_key = map(object({
      member = string
      name   = string
      role   = string
    }))
  })
  nullable = false
}
