# Routes requests as a URL map does: of the rules that match, the one with the lowest priority; otherwise the default of the API.
# Source: https://cloud.google.com/load-balancing/docs/url-map-concepts
variable "functions" {
  type = list(object({ api = optional(string), method = optional(string), name = string, path = optional(string), trigger = string }))
}

variable "otherwise" {
  type = map(string)
}

variable "requests" {
  type = map(object({ api = string, method = string, path = string }))
}

variable "routes" {
  type = map(list(object({
    allow               = optional(string)
    full_path_match     = optional(string)
    function            = string
    method              = optional(string)
    path_template_match = optional(string)
    priority            = number
  })))
}

locals {
  # In a template, `*` matches one segment that is not empty.
  matching = {
    for key, request in var.requests : key => [
      for rule in var.routes[request.api] : rule
      if(rule.method == null ? true : rule.method == request.method) && (
        rule.full_path_match == null
        ? can(regex("^${replace(rule.path_template_match, "*", "[^/]+")}$", request.path))
        : rule.full_path_match == request.path
      )
    ]
  }

  chosen = {
    for key, rules in local.matching : key => one([for rule in rules : rule if rule.priority == min(2147483647, rules[*].priority...)])
  }
}

# By request: the function that it goes to, the methods that the rule adds to the answer, and the endpoints that have the path.
output "answers" {
  value = {
    for key, request in var.requests : key => {
      request  = request
      allow    = try(local.chosen[key].allow, null)
      function = try(local.chosen[key].function, var.otherwise[request.api])
      endpoints = [
        for one in var.functions : one
        if one.trigger == "http" && one.api == request.api && can(regex("^${replace(coalesce(one.path, "-"), "/\\{[^}]+\\}/", "[^/]+")}$", request.path))
      ]
    }
  }
}
