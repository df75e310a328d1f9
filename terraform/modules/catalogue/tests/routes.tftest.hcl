# The URL map's rules for functions.json, and that the deployed file is valid.
variables {
  functions = [
    { name = "maps-list", entry = "functions/maps/list.ts", trigger = "http", api = "users", method = "GET", path = "/admin/maps" },
    { name = "maps-create", entry = "functions/maps/create.ts", trigger = "http", api = "users", method = "POST", path = "/admin/maps" },
    { name = "maps-delete", entry = "functions/maps/delete.ts", trigger = "http", api = "users", method = "DELETE", path = "/admin/maps/{id}" },
    { name = "maps-update", entry = "functions/maps/update.ts", trigger = "http", api = "users", method = "PUT", path = "/admin/maps/{id}" },
    { name = "maps-list-monitored", entry = "functions/maps/list-monitored.ts", trigger = "http", api = "users", method = "GET", path = "/admin/maps/monitored" },
    { name = "docs-openapi-users", entry = "functions/docs/openapi-users.ts", trigger = "http", api = "users", method = "GET", path = "/openapi.json" },
    { name = "aggregation-estimate", entry = "functions/aggregation/estimate.ts", trigger = "http", api = "data", method = "POST", path = "/data-agg/estimate" },
    { name = "aggregation-preview", entry = "functions/aggregation/preview.ts", trigger = "http", api = "data", method = "GET", path = "/data-agg" },
    { name = "availability-list", entry = "functions/availability/list.ts", trigger = "http", api = "data", method = "GET", path = "/data-availability" },
    { name = "geographies-find", entry = "functions/geographies/find.ts", trigger = "http", api = "data", method = "GET", path = "/geographies" },
    { name = "realtime-history", entry = "functions/realtime/history.ts", trigger = "http", api = "data", method = "GET", path = "/admin/realtime/history" },
    { name = "docs-openapi-data", entry = "functions/docs/openapi-data.ts", trigger = "http", api = "data", method = "GET", path = "/openapi.json" },
    { name = "aggregation-run", entry = "functions/aggregation/run.ts", trigger = "topic", topic = "aggregations", event_type = "google.cloud.pubsub.topic.v1.messagePublished" },
    { name = "aggregation-sweep", entry = "functions/aggregation/sweep.ts", trigger = "schedule", every_seconds = 60 },
    { name = "realtime-refresh", entry = "functions/realtime/refresh.ts", trigger = "schedule", every_seconds = 300 },
  ]
}

run "a_rule_for_each_method_comes_before_the_rules_for_any" {
  command = plan

  assert {
    condition = [for rule in output.routes["users"] : "${coalesce(rule.method, "*")} ${coalesce(rule.full_path_match, rule.path_template_match)} ${rule.function}"] == [
      "GET /admin/maps maps-list",
      "POST /admin/maps maps-create",
      "GET /admin/maps/monitored maps-list-monitored",
      "GET /openapi.json docs-openapi-users",
      "DELETE /admin/maps/* maps-delete",
      "PUT /admin/maps/* maps-update",
      "* /admin/maps maps-list",
      "* /admin/maps/monitored maps-list-monitored",
      "* /openapi.json docs-openapi-users",
      "* /admin/maps/* maps-delete",
    ]
    error_message = "Rules are literal paths by method, templates by method, then the same for any method."
  }
  assert {
    condition     = alltrue([for rules in values(output.routes) : join(",", [for rule in rules : rule.priority]) == join(",", range(1, length(rules) + 1))])
    error_message = "Priorities are 1, 2, 3 …: no two rules have the same."
  }
}

run "a_wrong_method_is_told_all_that_the_path_takes" {
  command = plan

  assert {
    condition     = { for rule in output.routes["users"] : rule.path => rule.allow if rule.method == null } == { "/admin/maps" = "GET, HEAD, POST", "/admin/maps/monitored" = "DELETE, GET, HEAD, PUT", "/admin/maps/{id}" = "DELETE, PUT", "/openapi.json" = "GET, HEAD" }
    error_message = "Allow holds the methods of every template that matches the path."
  }
  assert {
    condition     = alltrue([for rule in output.routes["users"] : (rule.method == null) != (rule.allow == null)])
    error_message = "A rule is for one method, or it has an Allow."
  }
}

run "everything_else_is_answered_by_the_document_of_the_api" {
  command = plan

  assert {
    condition     = output.otherwise == { data = "docs-openapi-data", users = "docs-openapi-users" }
    error_message = "What no route takes goes to the function of /openapi.json."
  }
}

run "only_endpoints_are_routed" {
  command = plan

  assert {
    condition     = toset([for rule in flatten(values(output.routes)) : rule.function]) == toset([for name, one in output.functions : name if one.trigger == "http"])
    error_message = "Every endpoint has a route, and neither a worker nor a schedule has one."
  }
}

run "what_is_withheld_has_neither_function_nor_route" {
  command = plan
  variables {
    withheld = ["maps-update"]
  }

  assert {
    condition     = !contains(keys(output.functions), "maps-update") && !contains([for rule in output.routes["users"] : rule.function], "maps-update")
    error_message = "A function that is withheld is not deployed."
  }
  assert {
    condition     = [for rule in output.routes["users"] : rule.allow if rule.method == null && rule.path == "/admin/maps/{id}"] == ["DELETE"]
    error_message = "Its method is not allowed."
  }
}

run "schedules_have_a_time_of_cron" {
  command = plan

  assert {
    condition     = { for name, one in output.schedules : name => one.cron } == { aggregation-sweep = "* * * * *", realtime-refresh = "*/5 * * * *" }
    error_message = "Each minute, and every five minutes."
  }
}

run "a_functions_kind_says_how_it_runs" {
  command = plan

  assert {
    condition     = { for name, one in output.functions : name => one.kind if one.kind != "endpoint" } == { aggregation-estimate = "preview", aggregation-preview = "preview", aggregation-run = "worker", aggregation-sweep = "schedule", availability-list = "preview", geographies-find = "preview", realtime-history = "preview", realtime-refresh = "schedule" }
    error_message = "Kinds follow triggers, but for the endpoints that answer what a query gives."
  }
  assert {
    condition     = alltrue([for one in output.functions : one.instances >= 1 && one.timeout_seconds > 50 && (one.concurrency == 1 || tonumber(one.cpu) >= 1)])
    error_message = "Every function has a bound on instances and on time, and a whole CPU where it takes several requests at a time."
  }
}

run "an_environment_changes_single_cells" {
  command = plan
  variables {
    sizing = { worker = { instances = 3, memory = "2Gi" } }
  }

  assert {
    condition     = output.functions["aggregation-run"].instances == 3 && output.functions["aggregation-run"].memory == "2Gi" && output.functions["aggregation-run"].concurrency == output.kinds["worker"].concurrency
    error_message = "The cells that are given are taken, the others stay."
  }
}
