# Routes by host, then path and method. The rules come from modules/catalogue/routes.tf. Requests that no rule matches go to the function that answers
# with the 404 problem document. A custom error response would need a public bucket (a backend bucket is read as allUsers) and would have no request
# id. It matches by status, so it would also replace the functions' own 404s unless every rule excluded it.
resource "google_compute_url_map" "front" {
  project         = var.project_id
  name            = "populus"
  default_service = google_compute_backend_service.endpoint[var.otherwise["data"]].id

  dynamic "host_rule" {
    for_each = local.hosts
    content {
      hosts        = [host_rule.value]
      path_matcher = host_rule.key
    }
  }

  dynamic "path_matcher" {
    for_each = local.matchers
    iterator = host
    content {
      name            = host.key
      default_service = host.value.backends[var.otherwise[host.value.api]]

      # The console's own path. A template of the API never matches it: these rules come first.
      dynamic "route_rules" {
        for_each = [for path in local.console_paths : path if host.value.has_console]
        iterator = console
        content {
          priority = console.value.priority
          service  = console.value.service

          match_rules {
            full_path_match = console.value.path
            prefix_match    = console.value.prefix
          }

          dynamic "url_redirect" {
            for_each = console.value.service == null ? ["/console/"] : []
            content {
              path_redirect          = url_redirect.value
              redirect_response_code = "PERMANENT_REDIRECT"
              strip_query            = true
            }
          }

          dynamic "route_action" {
            for_each = console.value.rewrite == null ? [] : [console.value.rewrite]
            content {
              url_rewrite {
                path_prefix_rewrite = route_action.value
              }
            }
          }
        }
      }

      dynamic "route_rules" {
        for_each = var.routes[host.value.api]
        iterator = rule
        content {
          priority = local.console_rules + rule.value.priority
          service  = host.value.backends[rule.value.function]

          match_rules {
            full_path_match     = rule.value.full_path_match
            path_template_match = rule.value.path_template_match

            dynamic "header_matches" {
              for_each = rule.value.method == null ? [] : [rule.value.method]
              iterator = method
              content {
                header_name = ":method"
                exact_match = method.value
              }
            }
          }

          # The answer here is 405: a function names only its own method, the rule all methods of the path.
          dynamic "header_action" {
            for_each = rule.value.allow == null ? [] : [rule.value.allow]
            iterator = allow
            content {
              response_headers_to_add {
                header_name  = "Allow"
                header_value = allow.value
                replace      = true
              }
            }
          }
        }
      }
    }
  }
}

locals {
  # A bucket has no page of a folder: the folder's address is rewritten to its page. In the order of their priorities, in which Google wants the rules of
  # a path matcher: a map would be in that of its keys (https://github.com/GoogleCloudPlatform/cloud-foundation-fabric/pull/2095).
  console_paths = [
    { priority = 1, path = "/console", prefix = null, rewrite = null, service = null },
    { priority = 2, path = "/console/", prefix = null, rewrite = "/console/index.html", service = var.console_backend },
    { priority = 3, path = null, prefix = "/console/", rewrite = null, service = var.console_backend },
  ]
  console_rules = length(local.console_paths)
}
