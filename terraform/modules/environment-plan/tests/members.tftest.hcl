# Every member of a policy, with its role.
variables {
  bytes_billed_max        = 1099511627776
  candidate_hosts         = { data = "data-candidate.example.com", users = "users-candidate.example.com" }
  delivery_project        = "populus-prod-delivery"
  environment             = "prod"
  hosts                   = { data = "data.example.com", users = "users.example.com" }
  ingress                 = "INGRESS_TRAFFIC_INTERNAL_LOAD_BALANCER"
  interactive_bytes_max   = 100000000000
  interactive_reservation = "projects/populus-slots/locations/europe-north1/reservations/interactive"
  patterns                = jsondecode(file("../../../infra/generated/environment-variables.json"))
  project_id              = "populus-prod"
  project_number          = "123456789"
  query_price             = { currency = "USD", per_tib = 6.25 }
  queue_name              = "aggregations"
  queue_region            = "europe-west1"
  rate                    = { burst = 500, per_second = 100 }
  region                  = "europe-north1"
}

run "each_grant_is_one_member_of_one_policy" {
  command = plan

  assert {
    condition = toset(flatten([for members in values(local.of_functions) : keys(members)])) == toset(flatten([
      for name, needs in jsondecode(file("../../../infra/generated/permissions.json")) : [for grant in needs.grants : "${name}/${grant}" if !contains(["signatures", "tokens"], grant)]
    ]))
    error_message = "The functions' members are not those that permissions.json lists."
  }
  assert {
    condition     = length(flatten([for members in values(local.of_functions) : keys(members)])) == length(distinct(flatten([for members in values(local.of_functions) : keys(members)])))
    error_message = "A grant is in two policies."
  }
  assert {
    condition = alltrue(flatten([
      for members in values(local.of_functions) : [
        for key, one in members : one.member == "serviceAccount:${output.functions[split("/", key)[0]].account_id}@populus-prod.iam.gserviceaccount.com" && one.member == "serviceAccount:${one.email}"
      ]
    ]))
    error_message = "A grant is for another account than the function's own."
  }
  assert {
    condition     = length(distinct(values(output.functions)[*].account_id)) == length(output.functions)
    error_message = "Two functions share an account."
  }
}

run "a_function_has_no_member_beside_its_grants" {
  command = plan

  assert {
    condition = toset(flatten([
      for kind, members in output.members : [for key, one in members : "${kind} ${key}" if startswith(one.member, "serviceAccount:fn-")]
    ])) == toset(flatten([for kind, members in local.of_functions : [for key in keys(members) : "${kind} ${key}"]]))
    error_message = "A function's account has a role that its code does not need."
  }
}

run "raw_counts_are_the_loaders_and_the_imports_alone" {
  command = plan

  assert {
    condition     = toset([for one in values(output.members.dataset) : one.member if contains(["intake", "staging"], one.name)]) == toset([for name in ["fn-loading-import", "loader"] : "serviceAccount:${name}@populus-prod.iam.gserviceaccount.com"])
    error_message = "Someone else has a dataset of raw counts."
  }
  assert {
    condition = [
      for one in values(output.members.table) : "${one.name} ${one.role} ${one.member}" if startswith(one.name, "intake.") || startswith(one.name, "staging.")
    ] == ["intake.batches roles/bigquery.dataViewer serviceAccount:fn-loading-arrivals@populus-prod.iam.gserviceaccount.com"]
    error_message = "A table of raw counts is granted on its own: of intake, only the ledger of loads is."
  }
  # A role on the project reaches every dataset. Those of BigQuery that are granted there reach none.
  assert {
    condition = toset([
      for one in values(output.members.project) : one.role if startswith(one.role, "roles/bigquery.")
    ]) == toset(["roles/bigquery.jobUser"])
    error_message = "A role of BigQuery on the project reaches raw counts."
  }
}

run "the_loader_has_what_loads_need" {
  command = plan

  assert {
    condition = toset(flatten([
      for kind, members in output.members : [for one in values(members) : "${kind} ${try(coalesce(one.name, "-"), "-")} ${one.role}" if one.member == "serviceAccount:loader@populus-prod.iam.gserviceaccount.com"]
      ])) == toset([
      "dataset intake roles/bigquery.dataEditor",
      "dataset mobility roles/bigquery.dataEditor",
      "dataset staging roles/bigquery.dataEditor",
      "landing_bucket - roles/storage.objectUser",
      "project - roles/bigquery.jobUser",
      "table realtime.presence roles/bigquery.dataEditor",
    ])
    error_message = "A load reads and writes raw counts, publishes them, and starts jobs."
  }
  assert {
    condition     = length(output.members.loader_account) == 0
    error_message = "Nobody loads unless named."
  }
}

run "the_uploader_may_create_objects_of_the_landing_bucket_and_nothing_else" {
  command = plan
  variables {
    uploaders = ["serviceAccount:feed@provider.iam.gserviceaccount.com"]
  }

  assert {
    condition = flatten([
      for kind, members in output.members : [for one in values(members) : "${kind} ${one.role}" if one.member == "serviceAccount:uploader@populus-prod.iam.gserviceaccount.com"]
    ]) == ["landing_bucket roles/storage.objectCreator"]
    error_message = "The uploader reads, replaces, or reaches something else."
  }
  assert {
    condition = flatten([
      for kind, members in output.members : [for one in values(members) : "${kind} ${one.role}" if one.member == "serviceAccount:feed@provider.iam.gserviceaccount.com"]
    ]) == ["uploader_account roles/iam.serviceAccountTokenCreator"]
    error_message = "A member of uploaders acts as the uploader, and has nothing else."
  }
  assert {
    condition     = output.members.landing_topic == { notifier = { member = "serviceAccount:service-123456789@gs-project-accounts.iam.gserviceaccount.com", role = "roles/pubsub.publisher" } }
    error_message = "Only Cloud Storage tells what has arrived."
  }
}

run "who_loads_acts_as_the_loader_and_has_nothing_else" {
  command = plan
  variables {
    loaders = ["group:data-team@example.com"]
  }

  assert {
    condition     = output.members.loader_account == { "group:data-team@example.com" = { member = "group:data-team@example.com", role = "roles/iam.serviceAccountTokenCreator" } }
    error_message = "A member of loaders impersonates the loader."
  }
  assert {
    condition     = length(flatten([for members in values(output.members) : [for one in values(members) : one if one.member == "group:data-team@example.com"]])) == 1
    error_message = "A member of loaders has a role of its own."
  }
}

run "a_calling_account_has_no_other_permission_and_only_pubsub_signs_as_it" {
  command = plan

  assert {
    condition = length(setintersection(
      flatten([for members in values(output.members) : values(members)[*].member]),
      [for one in values(output.functions) : one.invoker],
    )) == 0
    error_message = "An account that calls a function has a role as well."
  }
  assert {
    condition = output.members.caller == {
      for name in keys(output.workers) : name => { member = "serviceAccount:service-123456789@gcp-sa-pubsub.iam.gserviceaccount.com", role = "roles/iam.serviceAccountOpenIdTokenCreator" }
    }
    error_message = "Someone besides Pub/Sub signs as a caller, or with more than OIDC tokens: ${jsonencode(output.members.caller)}"
  }
}

run "no_role_is_basic_and_none_of_the_project_allows_calling_or_changing_functions" {
  command = plan

  assert {
    condition = alltrue([
      for one in concat(values(output.members.project), values(output.members.database), values(output.members.build_project)) :
      !can(regex("^roles/(owner|editor|viewer|run|cloudfunctions|iam\\.serviceAccount)", one.role))
    ])
    error_message = "A role of the project reaches all functions, or all accounts."
  }
  assert {
    condition     = length(distinct([for one in concat(values(output.members.project), values(output.members.database), values(output.members.build_project)) : "${one.role} ${one.member}"])) > 10
    error_message = "The project's policy is nearly empty."
  }
  assert {
    condition     = alltrue(flatten([for members in values(output.members) : [for one in values(members) : !can(regex("^roles/(owner|editor|viewer|run\\.|cloudfunctions\\.)", one.role))]]))
    error_message = "A role is basic, or calls functions: only an invoker does."
  }
  assert {
    condition     = !strcontains(jsonencode(output.members), "allUsers") && !strcontains(jsonencode(output.members), "allAuthenticatedUsers")
    error_message = "A policy has a public member."
  }
}

run "a_role_of_firestore_is_of_one_database" {
  command = plan

  assert {
    condition     = length([for one in values(output.members.project) : one if startswith(one.role, "roles/datastore.")]) == 0
    error_message = "A role of Firestore without a condition reaches every database."
  }
  assert {
    condition = toset(values(output.members.database)[*].condition.expression) == toset([
      for database in ["(default)", "usage"] : "resource.name == \"projects/populus-prod/databases/${database}\""
    ])
    error_message = "A role of Firestore is of the main database, or of usage: ${jsonencode(distinct(values(output.members.database)[*].condition))}"
  }
  assert {
    condition     = length([for one in values(output.members.database) : one if one.role == "roles/datastore.viewer"]) > length([for one in values(output.members.database) : one if one.role == "roles/datastore.user" && one.name == "main"])
    error_message = "Most functions only read where keys are."
  }
}

run "functions_that_move_to_a_restored_database_keep_what_they_have_on_the_former_one" {
  command = plan
  variables {
    databases = { main = "restored-1123", kept = ["(default)"] }
  }

  assert {
    condition     = [output.environment_variables.FIRESTORE_DATABASE, output.environment_variables.FIRESTORE_USAGE_DATABASE] == ["restored-1123", "usage"]
    error_message = "The functions use another database."
  }
  assert {
    condition = alltrue([
      for key, one in local.of_functions.database :
      output.members.database[key].condition.expression == "resource.name == \"projects/populus-prod/databases/(default)\""
      && output.members.database["${key}@restored-1123"].condition.expression == "resource.name == \"projects/populus-prod/databases/restored-1123\""
      && output.members.database["${key}@restored-1123"].role == one.role
      if one.name == "main"
    ])
    error_message = "A grant moved: the revision of before lost its database."
  }
  assert {
    condition     = length(output.members.database) == length(local.of_functions.database) + length([for one in values(local.of_functions.database) : one if one.name == "main"])
    error_message = "A database has other members than its functions'."
  }
}

run "without_keys_no_agent_has_one" {
  command = plan

  assert {
    condition     = length(output.members.kms_key) == 0
    error_message = "An agent has a key: ${jsonencode(output.members.kms_key)}"
  }
}

run "the_agents_of_the_stores_encrypt_with_the_keys_and_nobody_else_does" {
  command = plan
  variables {
    kms_keys = {
      europe = "projects/keys/locations/europe/keyRings/populus/cryptoKeys/stores"
      region = "projects/keys/locations/europe-north1/keyRings/populus/cryptoKeys/stores"
    }
  }

  assert {
    condition = toset([for one in values(output.members.kms_key) : "${one.name} ${one.member} ${one.role}"]) == toset(flatten([
      for where in ["europe", "europe-north1"] : [
        for agent in ["bq-123456789@bigquery-encryption", "service-123456789@gcp-sa-firestore", "service-123456789@gs-project-accounts"] :
        "projects/keys/locations/${where}/keyRings/populus/cryptoKeys/stores serviceAccount:${agent}.iam.gserviceaccount.com roles/cloudkms.cryptoKeyEncrypterDecrypter"
      ]
    ]))
    error_message = "The keys have other members: ${jsonencode(output.members.kms_key)}"
  }
}

run "a_custom_role_is_named_in_full" {
  command = plan

  assert {
    condition = toset([for one in concat(values(output.members.project), values(output.members.reservation)) : one.role if !startswith(one.role, "roles/")]) == toset([
      for role in values(output.custom_roles) : "projects/${role.project_id}/roles/${role.role_id}"
    ])
    error_message = "The roles that are not Google's are those of custom_roles: ${jsonencode(output.custom_roles)}"
  }
}

run "the_queues_account_publishes_to_the_one_topic" {
  command = plan

  assert {
    condition = flatten([
      for kind, members in output.members : [for key, one in members : "${kind} ${key} ${one.role}" if strcontains(one.member, output.queue.email)]
    ]) == ["queue_topic ${output.topic} roles/pubsub.publisher"]
    error_message = "Tasks only publish."
  }
}

run "pubsub_moves_dead_letters_and_nothing_else" {
  command = plan

  assert {
    condition     = toset(keys(output.members.dead_letter_topic)) == output.topics.of_dead_letters && toset(values(output.members.dead_letter_topic)[*].role) == toset(["roles/pubsub.publisher"])
    error_message = "Pub/Sub publishes to the dead-letter topics."
  }
  assert {
    condition     = toset(keys(output.members.dead_letter_subscription)) == toset([for name, one in output.workers : name if one.dead_letters != null]) && toset(values(output.members.dead_letter_subscription)[*].role) == toset(["roles/pubsub.subscriber"])
    error_message = "Pub/Sub acknowledges on the subscriptions with dead letters."
  }
}

run "a_build_reads_its_own_files_alone" {
  command = plan

  assert {
    condition     = [for one in values(output.members.build_project) : one.condition.expression if one.role == "roles/storage.objectViewer"] == ["resource.name.startsWith(\"projects/_/buckets/populus-prod-function-sources/\")"]
    error_message = "Without the condition a build reads customers' exports."
  }
  assert {
    condition     = toset(concat(values(output.members.build_project), values(output.members.build_repository))[*].member) == toset(["serviceAccount:function-builds@populus-prod.iam.gserviceaccount.com"])
    error_message = "Only the builds' account builds."
  }
}

run "firestore_is_exported_by_an_account_that_does_nothing_else" {
  command = plan
  variables {
    databases        = { main = "restored-1123", kept = ["(default)"] }
    firestore_export = { location = "EUROPE-WEST4" }
  }

  assert {
    condition = jsonencode(output.firestore_export) == jsonencode({
      account_id = "firestore-export", bucket = "populus-prod-firestore-export", database = "restored-1123", kms_key = null, location = "EUROPE-WEST4", retention_days = 3
    })
    error_message = "Another database or another bucket is exported."
  }
  assert {
    condition = toset(flatten([
      for kind, members in output.members : [for one in values(members) : "${kind} ${one.role}" if one.member == "serviceAccount:firestore-export@populus-prod.iam.gserviceaccount.com"]
    ])) == toset(["nightly_bucket roles/storage.admin", "nightly_project roles/datastore.importExportAdmin"])
    error_message = "Who exports has a role too many, or too few."
  }
}

run "without_an_export_nobody_exports" {
  command = plan

  assert {
    condition     = output.firestore_export == null && length(output.members.nightly_bucket) + length(output.members.nightly_project) == 0
    error_message = "There is an export, or who makes one."
  }
}

run "who_queries_interactively_uses_the_reservation_in_its_own_project" {
  command = plan

  assert {
    condition = output.members.reservation == {
      for name, needs in jsondecode(file("../../../infra/generated/permissions.json")) : "${name}/use_reservation" => {
        email      = "${output.functions[name].account_id}@populus-prod.iam.gserviceaccount.com"
        member     = "serviceAccount:${output.functions[name].account_id}@populus-prod.iam.gserviceaccount.com"
        name       = null
        project_id = "populus-slots"
        role       = "projects/populus-slots/roles/useReservation"
      } if contains(needs.grants, "use_reservation")
    }
    error_message = "Granted otherwise: ${jsonencode(output.members.reservation)}"
  }
  assert {
    condition     = contains(keys(output.members.reservation), "aggregation-preview/use_reservation") && !contains(keys(output.members.reservation), "aggregation-run/use_reservation")
    error_message = "A preview waits for its query, a job's run does not."
  }
  assert {
    condition     = { for name, role in output.custom_roles : name => role.project_id } == { stop_warehouse_jobs = "populus-prod", use_reservation = "populus-slots" }
    error_message = "A role is made in another project than that which has it."
  }
}

run "without_a_reservation_nobody_uses_one" {
  command = plan
  variables {
    interactive_reservation = null
  }

  assert {
    condition     = output.members.reservation == {} && keys(output.custom_roles) == ["stop_warehouse_jobs"]
    error_message = "There is no reservation to use."
  }
}
