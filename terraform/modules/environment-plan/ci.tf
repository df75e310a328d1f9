# The two accounts of the repository's workflows. Any of its workflows may plan, as an account that reads; only a job of the repository's environment of
# the same name may apply. Who applies sets policies and could give itself any role, so it is called what it is: an owner.
locals {
  ci = var.ci == null ? null : {
    account_ids = { apply = "ci-apply", plan = "ci-plan" }
    condition   = "assertion.repository_id == '${var.ci.repository_id}'"
    pool        = local.ci_pool_id
  }
  ci_pool_id = "github" # Google wants 4 to 32 characters, and keeps the name of a deleted pool for 30 days
  ci_members = local.ci == null ? {} : { for what, id in local.ci.account_ids : what => "serviceAccount:${id}@${var.project_id}.iam.gserviceaccount.com" }
  ci_pool    = "iam.googleapis.com/projects/${var.project_number}/locations/global/workloadIdentityPools/${local.ci_pool_id}"

  of_ci = {
    ci_account = local.ci == null ? {} : {
      apply = { member = "principal://${local.ci_pool}/subject/repo:${var.ci.repository}:environment:${var.environment}", role = "roles/iam.workloadIdentityUser" }
      plan  = { member = "principalSet://${local.ci_pool}/attribute.repository_id/${var.ci.repository_id}", role = "roles/iam.workloadIdentityUser" }
    }
    # A plan reads policies too, which viewers do not, and buckets' settings, which viewers only list. In a delivery project it reads the number alone.
    ci_project = local.ci == null ? {} : {
      "apply/owner"           = { member = local.ci_members.apply, role = "roles/owner" }
      "plan/bucketViewer"     = { member = local.ci_members.plan, role = "roles/storage.bucketViewer" }
      "plan/securityReviewer" = { member = local.ci_members.plan, role = "roles/iam.securityReviewer" }
      "plan/viewer"           = { member = local.ci_members.plan, role = "roles/viewer" }
    }
    ci_delivery_project = merge([
      for project in setsubtract(local.delivery_projects, [var.project_id]) : {
        for what, member in local.ci_members : (project == var.delivery_project ? what : "${what}/${project}") => { member = member, project_id = project, role = "roles/browser" }
      }
    ]...)
    ci_state = local.ci == null ? {} : { plan = { member = local.ci_members.plan, role = "roles/storage.objectViewer" } }
  }
}
