# What 10, 100 and 1,000 customers use of Google's quotas. One run, because counting a thousand customers takes seconds.
run "ten_a_hundred_and_a_thousand_customers" {
  command = plan

  # Ten customers are within every quota of a new project.
  assert {
    condition     = alltrue([for one in output.quotas : one.counts["10"] <= one.limit])
    error_message = "Too many: ${join(", ", [for one in output.quotas : one.what if one.counts["10"] > one.limit])}"
  }

  # A thousand customers are within every limit that cannot be raised, except the load jobs: a hundred are within those.
  assert {
    condition     = alltrue([for one in output.quotas : one.is_raisable || max(values(one.counts)...) <= one.limit || one.what == "load jobs of a day" && one.counts["100"] <= one.limit])
    error_message = "Too many: ${join(", ", [for one in output.quotas : one.what if !one.is_raisable && max(values(one.counts)...) > one.limit])}"
  }

  # Each customer adds two accounts, one member, one view and one listing.
  # The accounts of the functions, of the workers' callers, and six more: builds, loads, uploads, the queue's tasks, and probes with their caller.
  assert {
    condition = [for one in output.quotas : one.counts if startswith(one.what, "service accounts")] == [{
      for size in [10, 100, 1000] : tostring(size) => 2 * size + 6 + sum([for one in jsondecode(file("../../../infra/generated/functions.json")) : one.trigger == "http" ? 1 : 2])
    }]
    error_message = "Counted otherwise: ${jsonencode([for one in output.quotas : one.counts if startswith(one.what, "service accounts")])}"
  }
  # Each function is exempt from four kinds of audit entries, and exemptions count as members.
  assert {
    condition = alltrue([
      for one in output.quotas : one.counts["100"] - one.counts["10"] == 90 && one.counts["1000"] - one.counts["100"] == 900
      && one.counts["10"] > 10 + 4 * length(jsondecode(file("../../../infra/generated/functions.json"))) if startswith(one.what, "members of the project")
    ])
    error_message = "Counted otherwise: ${jsonencode([for one in output.quotas : one.counts if startswith(one.what, "members of the project")])}"
  }
  assert {
    condition     = [for one in output.quotas : one.counts if can(regex("^(views|listings)", one.what))] == [for _ in range(2) : { for size in [10, 100, 1000] : tostring(size) => size }]
    error_message = "Counted otherwise: ${jsonencode([for one in output.quotas : one.counts if can(regex("^(views|listings)", one.what))])}"
  }

  # Routes, backends and functions do not grow with customers.
  assert {
    condition = length([for one in output.quotas : one if can(regex("^(route rules|path templates|backend|Cloud Run|members of a dataset)", one.what))]) == 7 && alltrue([
      for one in output.quotas : length(distinct(values(one.counts))) == 1 && one.counts["10"] > 0 if can(regex("^(route rules|path templates|backend|Cloud Run|members of a dataset)", one.what))
    ])
    error_message = "Something grows with customers, or is not counted."
  }
  assert {
    condition = { for one in output.quotas : split(" ", one.what)[0] => one.counts["10"] if can(regex("^(backend|Cloud Run)", one.what)) } == {
      backend = 2 * length([for one in jsondecode(file("../../../infra/generated/functions.json")) : one if one.trigger == "http"])
      Cloud   = length(jsondecode(file("../../../infra/generated/functions.json")))
    }
    error_message = "An endpoint has two backends, a Cloud Run service is a function."
  }
}
