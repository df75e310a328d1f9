# The function that a request goes to, for each host, as route rules of a URL map: by priority, the first match wins.
#
# 1. Path and method to the function that serves them. Literal paths come before templates, so `/admin/maps/monitored` is not read as a map's id.
# 2. A known path with any other method: the function of GET answers HEAD too. For the rest any function of that path answers 405 (or a browser's
#    preflight). The rule adds the methods of the path, because a function knows only its own.
# 3. Everything else: the function that serves the API's OpenAPI document needs neither key nor store, and answers other paths with
#    the 404 problem document (`shared/http/serve.ts`).
locals {
  endpoints = { for name, one in local.functions : name => one if one.trigger == "http" }
  apis      = toset([for one in local.endpoints : one.api])

  otherwise = {
    for api in local.apis : api => one([for name, one in local.endpoints : name if one.api == api && one.path == "/openapi.json"])
  }

  # Sorted by text: a literal path has the rank 0, a template 1.
  ordered = {
    for api in local.apis : api => [
      for key in sort([
        for name, one in local.endpoints : join(" ", [strcontains(one.path, "{") ? 1 : 0, one.path, one.method, name]) if one.api == api
      ]) : local.endpoints[element(split(" ", key), 3)]
    ]
  }

  # A path's methods include those of every template that matches it: the 405 for PATCH on `/admin/maps/monitored` also lists PUT and DELETE.
  paths = {
    for api in local.apis : api => {
      for path in distinct([for one in local.ordered[api] : one.path]) : path => [
        for one in local.ordered[api] : one
        if one.path == path || can(regex("^${replace(one.path, "/\\{[^}]+\\}/", "[^/]+")}$", path))
      ]
    }
  }

  by_method = {
    for api in local.apis : api => [for one in local.ordered[api] : { path = one.path, method = one.method, allow = null, function = one.name }]
  }
  by_path = {
    for api in local.apis : api => [
      for path in distinct([for one in local.ordered[api] : one.path]) : {
        path   = path
        method = null
        allow  = join(", ", sort(distinct(flatten([for one in local.paths[api][path] : one.method == "GET" ? ["GET", "HEAD"] : [one.method]]))))
        function = concat(
          [for one in local.paths[api][path] : one.name if one.method == "GET"],
          [for one in local.paths[api][path] : one.name if one.path == path],
        )[0]
      }
    ]
  }

  routes = {
    for api in local.apis : api => [
      for index, rule in concat(local.by_method[api], local.by_path[api]) : merge(rule, {
        priority            = index + 1
        full_path_match     = strcontains(rule.path, "{") ? null : rule.path
        path_template_match = strcontains(rule.path, "{") ? replace(rule.path, "/\\{[^}]+\\}/", "*") : null
      })
    ]
  }
}
