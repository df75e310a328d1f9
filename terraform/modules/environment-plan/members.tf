# Every member of a policy, by the kind of resource that has the policy. An entry is one member with one role, so each is independent of the others and
# entries that Terraform does not know stay. Not here: invokers (functions.tf), which are all members of their role, and the writers of log sinks, which
# Google names (modules/operations/audit.tf).
locals {
  # The grants of the functions, from what their code needs.
  of_functions = {
    for kind in ["database", "dataset", "export_bucket", "landing_bucket", "project", "queue", "queue_account", "reservation", "table", "topic"] : kind => {
      for key, grant in module.roles.grants : key => {
        email  = local.emails[module.accounts.functions[grant.function]]
        member = "serviceAccount:${local.emails[module.accounts.functions[grant.function]]}"
        name   = grant.name
        role   = try("projects/${local.custom_roles[grant.role].project_id}/roles/${local.custom_roles[grant.role].role_id}", grant.role)
      } if grant.on == kind
    }
  }

  # Who uses a reservation needs the permission in its project, which may be another: a role of that project, as roles are a project's. Without a
  # reservation there is neither role nor member.
  reservation_project = try(split("/", var.interactive_reservation)[1], null)
  custom_roles = {
    for name, one in module.roles.custom_roles : name => merge(one, { project_id = name == "use_reservation" ? local.reservation_project : var.project_id })
    if name != "use_reservation" || local.reservation_project != null
  }
  of_reservations = {
    for key, one in local.of_functions.reservation : key => merge(one, { project_id = local.reservation_project }) if local.reservation_project != null
  }

  # The databases that a grant reaches, by what the grants call them. While the functions move to another database, such as a restored one, the main one is
  # two: revisions of before still use the former.
  databases = { main = concat([var.databases.main], tolist(var.databases.kept)), usage = [var.databases.usage] }

  # A database has no policy of its own. Its members are the project's, with a condition. Each database has members of its own, so that moving to another
  # one takes nothing from the former.
  of_databases = merge([
    for key, one in local.of_functions.database : {
      for database in local.databases[one.name] : (contains(["(default)", "usage"], database) ? key : "${key}@${database}") => merge(one, {
        condition = { title = "database-${trim(database, "()")}", expression = "resource.name == \"projects/${var.project_id}/databases/${database}\"" }
      })
    }
  ]...)

  # What a build needs: https://cloud.google.com/build/docs/securing-builds/configure-user-specified-service-accounts
  builder = "serviceAccount:${local.emails[module.accounts.platform.builds]}"
  of_builds = {
    build_project = {
      logs = { condition = null, member = local.builder, role = "roles/logging.logWriter" }
      # `scripts/deploy` puts what is built into this bucket. Without the condition a build could read customers' exports.
      sources = {
        condition = { title = "function-sources", expression = "resource.name.startsWith(\"projects/_/buckets/${local.buckets.function_sources}/\")" }
        member    = local.builder
        role      = "roles/storage.objectViewer"
      }
    }
    build_repository = {
      images = { member = local.builder, role = "roles/artifactregistry.writer" }
    }
  }

  # Who loads the provider's data by hand. It and the import function alone reach raw counts (`intake`, and `staging` while a load is under way). Only the
  # members of `loaders` act as it. Who uploads what arrives by itself may create objects in the landing bucket, and nothing else.
  uploader = "serviceAccount:${local.emails[module.accounts.platform.uploader]}"
  loader   = { email = local.emails[module.accounts.platform.loader], member = "serviceAccount:${local.emails[module.accounts.platform.loader]}" }
  of_loads = {
    dataset = { for name in ["intake", "mobility", "staging"] : "loader/${name}" => merge(local.loader, { name = name, role = "roles/bigquery.dataEditor" }) }
    landing_bucket = {
      loader   = { member = local.loader.member, role = "roles/storage.objectUser" }
      uploader = { member = local.uploader, role = "roles/storage.objectCreator" }
    }
    loader_account = { for one in var.loaders : one => { member = one, role = "roles/iam.serviceAccountTokenCreator" } }
    project        = { "loader/jobs" = merge(local.loader, { name = null, role = "roles/bigquery.jobUser" }) }
    # Cloud Storage publishes its notifications as its service agent: https://cloud.google.com/storage/docs/reporting-changes#prereqs
    landing_topic    = { notifier = { member = "serviceAccount:${local.encrypting.storage}", role = "roles/pubsub.publisher" } }
    uploader_account = { for one in var.uploaders : one => { member = one, role = "roles/iam.serviceAccountTokenCreator" } }
    table            = { "loader/presence" = merge(local.loader, { name = "realtime.presence", role = "roles/bigquery.dataEditor" }) }
  }

  # Pub/Sub's service agent, which `scripts/bootstrap` creates.
  pubsub = "serviceAccount:service-${var.project_number}@gcp-sa-pubsub.iam.gserviceaccount.com"
  of_messages = {
    # Pub/Sub mints the token of a push as the caller, and only OIDC tokens:
    # https://cloud.google.com/pubsub/docs/authenticate-push-subscriptions#configure_for_push_authentication
    caller = { for name in keys(local.workers) : name => { member = local.pubsub, role = "roles/iam.serviceAccountOpenIdTokenCreator" } }

    # Pub/Sub moves a message to the dead-letter topic as its own account: it publishes there and acknowledges on the source subscription.
    # https://cloud.google.com/pubsub/docs/handling-failures#grant_forwarding_permissions
    dead_letter_topic        = { for topic in local.topics.of_dead_letters : topic => { member = local.pubsub, role = "roles/pubsub.publisher" } }
    dead_letter_subscription = { for name in keys(local.dead_letters) : name => { member = local.pubsub, role = "roles/pubsub.subscriber" } }

    # Tasks publish as the queue's account, which has no other permission.
    queue_topic = { (local.topic) = { member = "serviceAccount:${local.queue.email}", role = "roles/pubsub.publisher" } }
  }

  # The service agents that encrypt with customers' keys: https://cloud.google.com/firestore/native/docs/use-cmek,
  # https://cloud.google.com/bigquery/docs/customer-managed-encryption, https://cloud.google.com/storage/docs/encryption/using-customer-managed-keys
  encrypting = {
    bigquery  = "bq-${var.project_number}@bigquery-encryption.iam.gserviceaccount.com"
    firestore = "service-${var.project_number}@gcp-sa-firestore.iam.gserviceaccount.com"
    storage   = "service-${var.project_number}@gs-project-accounts.iam.gserviceaccount.com"
  }
  of_keys = {
    kms_key = merge([
      for where, key in coalesce(var.kms_keys, {}) : {
        for product, agent in local.encrypting : "${product}/${where}" => { member = "serviceAccount:${agent}", name = key, role = "roles/cloudkms.cryptoKeyEncrypterDecrypter" }
      }
    ]...)
  }

  members = merge(local.of_functions, local.of_builds, local.of_ci, local.of_exports, local.of_messages, local.of_keys, local.of_probes, { database = local.of_databases, reservation = local.of_reservations }, {
    for kind, members in local.of_loads : kind => merge(members, lookup(local.of_functions, kind, {}))
  })
}
