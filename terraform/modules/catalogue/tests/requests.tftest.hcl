# Requests to the deployed endpoints, routed as a URL map does. A path's parameters are `sample-1`.
variables {
  functions = jsondecode(file("../../../infra/generated/functions.json"))
}

run "deployed" {
  command = plan

  assert {
    condition     = toset(keys(output.functions)) == toset([for one in var.functions : one.name])
    error_message = "Every function of functions.json is deployed."
  }
  assert {
    condition     = alltrue([for rules in values(output.routes) : length(distinct(rules[*].priority)) == length(rules)])
    error_message = "Two rules of an API have the same priority."
  }
  assert {
    condition     = toset(flatten([for rules in values(output.routes) : rules[*].function])) == toset([for one in var.functions : one.name if one.trigger == "http"])
    error_message = "Every endpoint has a route, and neither a worker nor a schedule has one."
  }
}

run "each_endpoint_is_reached_by_its_method_and_path" {
  command = plan
  module {
    source = "./tests/url-map"
  }
  variables {
    otherwise = run.deployed.otherwise
    routes    = run.deployed.routes
    requests = {
      for one in var.functions : one.name => { api = one.api, method = one.method, path = replace(one.path, "/\\{[^}]+\\}/", "sample-1") } if one.trigger == "http"
    }
  }

  assert {
    condition     = length(output.answers) > 10 && alltrue([for name, answer in output.answers : answer.function == name && answer.allow == null])
    error_message = "Other functions are reached: ${jsonencode({ for name, answer in output.answers : name => answer.function if answer.function != name })}"
  }
}

run "another_method_of_a_path_goes_to_a_function_of_the_path_which_answers_405_with_all_methods" {
  command = plan
  module {
    source = "./tests/url-map"
  }
  variables {
    otherwise = run.deployed.otherwise
    routes    = run.deployed.routes
    requests = {
      for pair in setproduct(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"], [for one in var.functions : one if one.trigger == "http"]) :
      "${pair[0]} ${pair[1].name}" => { api = pair[1].api, method = pair[0], path = replace(pair[1].path, "/\\{[^}]+\\}/", "sample-1") }
    }
  }

  assert {
    condition = alltrue([
      for answer in output.answers : contains(answer.endpoints[*].name, answer.function) && answer.allow == join(", ", sort(distinct(flatten([for method in answer.endpoints[*].method : method == "GET" ? ["GET", "HEAD"] : [method]]))))
      if !contains(answer.endpoints[*].method, answer.request.method)
    ])
    error_message = "Answered otherwise: ${jsonencode({ for key, answer in output.answers : key => [answer.function, answer.allow] })}"
  }
  assert {
    condition = alltrue([
      for answer in output.answers : anytrue([for one in answer.endpoints : one.name == answer.function && one.method == "GET"])
      if answer.request.method == "HEAD" && contains(answer.endpoints[*].method, "GET")
    ])
    error_message = "HEAD does not go to the function of GET: ${jsonencode({ for key, answer in output.answers : key => answer.function if answer.request.method == "HEAD" })}"
  }
  assert {
    condition     = length([for answer in output.answers : answer if !contains(answer.endpoints[*].method, answer.request.method)]) > length(var.functions)
    error_message = "Hardly any request had a method that its path does not have."
  }
}

# That function needs neither key nor store, and answers 404.
run "an_unknown_path_goes_to_the_document_of_the_api" {
  command = plan
  module {
    source = "./tests/url-map"
  }
  variables {
    otherwise = run.deployed.otherwise
    routes    = run.deployed.routes
    requests = {
      for all in setproduct(["GET", "POST", "OPTIONS"], ["%s/x", "/x%s", "%s/", "/", "/x"], [for one in var.functions : one if one.trigger == "http"]) :
      join(" ", [all[0], all[1], all[2].name]) => {
        api = all[2].api, method = all[0], path = replace(all[1], "%s", replace(all[2].path, "/\\{[^}]+\\}/", "sample-1"))
      }
    }
  }

  assert {
    condition = alltrue([
      for answer in output.answers : answer.function == "docs-openapi-${answer.request.api}" && answer.allow == null if length(answer.endpoints) == 0
    ])
    error_message = "Unknown paths are answered by others: ${jsonencode({ for key, answer in output.answers : key => answer.function if answer.function != "docs-openapi-${answer.request.api}" })}"
  }
  assert {
    condition     = length([for answer in output.answers : answer if length(answer.endpoints) == 0]) > length(var.functions)
    error_message = "Hardly any path was unknown."
  }
}

run "a_path_of_the_other_api_is_unknown" {
  command = plan
  module {
    source = "./tests/url-map"
  }
  variables {
    otherwise = run.deployed.otherwise
    routes    = run.deployed.routes
    requests = {
      for one in var.functions : one.name => {
        api = one.api == "users" ? "data" : "users", method = one.method, path = replace(one.path, "/\\{[^}]+\\}/", "sample-1")
      } if one.trigger == "http" && !contains(["/docs", "/openapi.json"], try(one.path, "-"))
    }
  }

  assert {
    condition     = alltrue([for answer in output.answers : length(answer.endpoints) == 0 && answer.function == "docs-openapi-${answer.request.api}"])
    error_message = "The two APIs share a path, or a route leads to the other one."
  }
}
