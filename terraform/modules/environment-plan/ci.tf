# The two accounts of the repository's workflows. Any of its workflows may plan, as an account that reads; only a job of the repository's environment of
# the same name may apply. Who applies sets policies and could give itself any role, so it is called what it is: an owner.
locals {
  ci = var.ci == null ? null : {
    account_ids = { apply = "ci-apply", plan = "ci-plan" }
    condition   = "assertion.repository_id == '${var.ci.repository_id}'"
    plan_role   = { id = local.ci_plan_role, permissions = local.ci_plan_permissions }
    pool        = local.ci_pool_id
  }
  ci_pool_id = "github" # Google wants 4 to 32 characters, and keeps the name of a deleted pool for 30 days
  ci_members = local.ci == null ? {} : { for what, id in local.ci.account_ids : what => "serviceAccount:${id}@${var.project_id}.iam.gserviceaccount.com" }
  ci_pool    = "iam.googleapis.com/projects/${var.project_number}/locations/global/workloadIdentityPools/${local.ci_pool_id}"

  # What a plan reads: settings and policies, and no customer's data. `roles/viewer` would read all of Firestore, the datasets and the logs. So: for each
  # service the role that reads its settings, where there is one without data, and a role of our own for the other services. securityReviewer has the
  # policies and lists of all services; serviceUsageConsumer lets requests name the project that they count for (`user_project_override`), which viewers
  # may not (https://cloud.google.com/service-usage/docs/access-control). A kind of resource that a plan may not read yet fails it with the permission's name.
  ci_plan_roles = toset([
    "artifactregistry.reader",
    "bigquery.metadataViewer",
    "cloudscheduler.viewer",
    "cloudtasks.viewer",
    "compute.viewer",
    "dns.reader",
    "firebaserules.viewer",
    "iam.roleViewer",
    "iam.securityReviewer",
    "monitoring.viewer",
    "pubsub.viewer",
    "run.viewer",
    "serviceusage.serviceUsageConsumer",
    "storage.bucketViewer",
  ])
  # Firestore's databases, indexes and schedules of backups (`databases.get` would begin transactions), the settings of logs, and what else has no role.
  ci_plan_permissions = toset([
    "datastore.backupSchedules.get",
    "datastore.databases.getMetadata",
    "datastore.indexes.get",
    "datastore.indexes.list",
    "iam.serviceAccounts.get",
    "iam.workloadIdentityPoolProviders.get",
    "iam.workloadIdentityPools.get",
    "iam.workloadIdentityPools.getAttestationRules", # the provider lists the rules of each pool
    "logging.buckets.get",
    "logging.logMetrics.get",
    "logging.sinks.get",
    "logging.views.get",
    "resourcemanager.projects.get",
  ])
  ci_plan_role = "ciPlan"

  of_ci = {
    ci_account = local.ci == null ? {} : {
      apply = { member = "principal://${local.ci_pool}/subject/repo:${var.ci.repository}:environment:${var.environment}", role = "roles/iam.workloadIdentityUser" }
      plan  = { member = "principalSet://${local.ci_pool}/attribute.repository_id/${var.ci.repository_id}", role = "roles/iam.workloadIdentityUser" }
    }
    # In a delivery project a plan reads the number alone.
    ci_project = local.ci == null ? {} : merge(
      { "apply/owner" = { member = local.ci_members.apply, role = "roles/owner" } },
      { "plan/${local.ci_plan_role}" = { member = local.ci_members.plan, role = "projects/${var.project_id}/roles/${local.ci_plan_role}" } },
      { for role in local.ci_plan_roles : "plan/${role}" => { member = local.ci_members.plan, role = "roles/${role}" } },
    )
    ci_delivery_project = merge([
      for project in setsubtract(local.delivery_projects, [var.project_id]) : {
        for what, member in local.ci_members : (project == var.delivery_project ? what : "${what}/${project}") => { member = member, project_id = project, role = "roles/browser" }
      }
    ]...)
    ci_state = local.ci == null ? {} : { plan = { member = local.ci_members.plan, role = "roles/storage.objectViewer" } }
  }
}
