# Every member of a policy, by the kind of resource that has the policy. An entry is one member with one role, so each is independent of the others and
# entries that Terraform does not know stay. Not here: invokers (functions.tf), which are all members of their role, and the writers of log sinks, which
# Google names (modules/operations/audit.tf).
locals {
  # The grants of the functions, from what their code needs.
  of_functions = {
    for kind in ["database", "dataset", "export_bucket", "project", "queue", "queue_account", "table", "topic"] : kind => {
      for key, grant in module.roles.grants : key => {
        email  = local.emails[module.accounts.functions[grant.function]]
        member = "serviceAccount:${local.emails[module.accounts.functions[grant.function]]}"
        name   = grant.name
        role   = try("projects/${var.project_id}/roles/${module.roles.custom_roles[grant.role].role_id}", grant.role)
      } if grant.on == kind
    }
  }

  # A database has no policy of its own. Its members are the project's, with a condition.
  of_databases = {
    for key, one in local.of_functions.database : key => merge(one, {
      condition = { title = "database-${trim(one.name, "()")}", expression = "resource.name == \"projects/${var.project_id}/databases/${one.name}\"" }
    })
  }

  # What a build needs: https://cloud.google.com/functions/docs/securing/build-custom-sa
  builder = "serviceAccount:${local.emails[module.accounts.platform.builds]}"
  of_builds = {
    build_project = {
      logs = { condition = null, member = local.builder, role = "roles/logging.logWriter" }
      # Cloud Functions copies the archive to a bucket that it creates itself, so Terraform cannot set its policy. The role is granted on the project,
      # with a condition that limits it to that bucket. Without the condition a build could read customers' exports.
      sources = {
        condition = { title = "function-sources", expression = "resource.name.startsWith(\"projects/_/buckets/gcf-v2-sources-\")" }
        member    = local.builder
        role      = "roles/storage.objectViewer"
      }
    }
    build_repository = {
      images = { member = local.builder, role = "roles/artifactregistry.writer" }
    }
  }

  # Who loads the provider's data: the only account that reaches raw counts (`intake`, and `staging` while a load is under way). No function has it, and
  # only the members of `loaders` act as it.
  loader = { email = local.emails[module.accounts.platform.loader], member = "serviceAccount:${local.emails[module.accounts.platform.loader]}" }
  of_loads = {
    dataset        = { for name in ["intake", "mobility", "staging"] : "loader/${name}" => merge(local.loader, { name = name, role = "roles/bigquery.dataEditor" }) }
    loader_account = { for one in var.loaders : one => { member = one, role = "roles/iam.serviceAccountTokenCreator" } }
    project        = { "loader/jobs" = merge(local.loader, { name = null, role = "roles/bigquery.jobUser" }) }
    table          = { "loader/presence" = merge(local.loader, { name = "realtime.presence", role = "roles/bigquery.dataEditor" }) }
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

  members = merge(local.of_functions, local.of_builds, local.of_messages, { database = local.of_databases }, {
    for kind, members in local.of_loads : kind => merge(members, lookup(local.of_functions, kind, {}))
  })
}
