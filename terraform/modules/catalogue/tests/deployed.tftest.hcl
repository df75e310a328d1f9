# The deployed functions.json.
variables {
  functions = jsondecode(file("../../../infra/generated/functions.json"))
}

run "the_service_fits_a_url_map" {
  command = plan

  assert {
    condition     = alltrue([for one in values(output.totals.by_api) : one.route_rules <= 1000 && one.predicates <= 1000 && one.path_templates <= 100]) && output.totals.backends <= 2500
    error_message = "An API is beyond the limits of a URL map."
  }
  assert {
    condition     = length(output.workers) == 4 && length(output.schedules) == 5 && length(output.functions) == length(var.functions)
    error_message = "Every function of functions.json is deployed, as a worker, a schedule or an endpoint."
  }
}
