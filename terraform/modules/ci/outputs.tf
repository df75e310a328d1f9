output "sign_in" {
  description = "What a workflow signs in with: the provider's full name, and the emails of the accounts that plan and apply."
  value = {
    accounts = { for what, account in google_service_account.ci : what => account.email }
    provider = google_iam_workload_identity_pool_provider.github.name
  }
}
