# Customers' accounts, folders, datasets and listings, in the workspace dev (TF_WORKSPACE), with a provider that only knows its schema.
mock_provider "google" {
  mock_resource "google_logging_project_sink" {
    defaults = { writer_identity = "serviceAccount:service-123456789@gcp-sa-logging.iam.gserviceaccount.com" }
  }
}
mock_provider "time" {}

# Google's own provider takes members and accounts in their forms alone, which Terraform does not make up.
override_resource {
  target = google_service_account.customer["storage-filesonly"]
  values = { email = "storage-filesonly@populus-delivery.iam.gserviceaccount.com", member = "serviceAccount:storage-filesonly@populus-delivery.iam.gserviceaccount.com", name = "projects/populus-delivery/serviceAccounts/storage-filesonly@populus-delivery.iam.gserviceaccount.com" }
}
override_resource {
  target = google_service_account.customer["warehouse-filesonly"]
  values = { email = "warehouse-filesonly@populus-delivery.iam.gserviceaccount.com", member = "serviceAccount:warehouse-filesonly@populus-delivery.iam.gserviceaccount.com", name = "projects/populus-delivery/serviceAccounts/warehouse-filesonly@populus-delivery.iam.gserviceaccount.com" }
}
override_resource {
  target = google_service_account.customer["storage-hubsubscriber"]
  values = { email = "storage-hubsubscriber@populus-delivery.iam.gserviceaccount.com", member = "serviceAccount:storage-hubsubscriber@populus-delivery.iam.gserviceaccount.com", name = "projects/populus-delivery/serviceAccounts/storage-hubsubscriber@populus-delivery.iam.gserviceaccount.com" }
}
override_resource {
  target = google_service_account.customer["warehouse-hubsubscriber"]
  values = { email = "warehouse-hubsubscriber@populus-delivery.iam.gserviceaccount.com", member = "serviceAccount:warehouse-hubsubscriber@populus-delivery.iam.gserviceaccount.com", name = "projects/populus-delivery/serviceAccounts/warehouse-hubsubscriber@populus-delivery.iam.gserviceaccount.com" }
}
override_resource {
  target = google_service_account.customer["storage-personal1"]
  values = { email = "storage-personal1@populus-delivery.iam.gserviceaccount.com", member = "serviceAccount:storage-personal1@populus-delivery.iam.gserviceaccount.com", name = "projects/populus-delivery/serviceAccounts/storage-personal1@populus-delivery.iam.gserviceaccount.com" }
}
override_resource {
  target = google_service_account.customer["warehouse-personal1"]
  values = { email = "warehouse-personal1@populus-delivery.iam.gserviceaccount.com", member = "serviceAccount:warehouse-personal1@populus-delivery.iam.gserviceaccount.com", name = "projects/populus-delivery/serviceAccounts/warehouse-personal1@populus-delivery.iam.gserviceaccount.com" }
}

variables {
  environments = {
    dev = { contact_email = "populus@example.com", data_project = "populus-dev", delivery_project = "populus-delivery" }
  }
  customers = {
    filesonly     = { name = "Files Only", environment = "dev", countries = ["EST"], scopes = [], scenarios = [] }
    hubsubscriber = { name = "Hub", environment = "dev", countries = ["EST"], scopes = ["realtime", "warehouse"], scenarios = ["A"] }
    personal1     = { name = "Personal", environment = "dev", countries = ["EST"], scopes = ["realtime", "warehouse"], scenarios = ["B"] }
    production    = { name = "Somebody Else", environment = "prod", countries = ["EST"], scopes = ["realtime"], scenarios = ["B"] }
  }
  subscribers = { hubsubscriber = ["group:analysts@example.com"] }
}

run "a_customers_accounts_reach_its_own_folder_and_its_own_datasets" {
  command = apply

  assert {
    condition     = toset(keys(google_service_account.customer)) == toset(flatten([for uid in ["filesonly", "hubsubscriber", "personal1"] : ["storage-${uid}", "warehouse-${uid}"]]))
    error_message = jsonencode(keys(google_service_account.customer))
  }
  assert {
    condition = { for uid, one in google_storage_managed_folder_iam_member.reader : uid => [one.bucket, one.managed_folder, one.role, one.member] } == {
      for uid in ["filesonly", "hubsubscriber", "personal1"] : uid => ["populus-dev-exports", "results/${uid}/", "roles/storage.objectViewer", google_service_account.customer["storage-${uid}"].member]
    }
    error_message = jsonencode(google_storage_managed_folder_iam_member.reader)
  }
  assert {
    condition     = alltrue([for key, one in google_bigquery_dataset_access.reader : one.role == "READER" && one.user_by_email == google_service_account.customer["warehouse-${module.plan.datasets[key].uid}"].email]) && length(google_bigquery_dataset_access.reader) >= 1
    error_message = jsonencode(google_bigquery_dataset_access.reader)
  }
  # The view is of the customer's own table, and the dataset authorises that view alone.
  assert {
    condition     = alltrue([for key, one in google_bigquery_dataset_access.authorised_view : one.view[0].table_id == google_bigquery_table.view[key].table_id && one.view[0].dataset_id == google_bigquery_table.view[key].dataset_id && strcontains(google_bigquery_table.view[key].view[0].query, "headcounts_${module.plan.views[key].uid}")]) && length(google_bigquery_dataset_access.authorised_view) == 2
    error_message = jsonencode(google_bigquery_table.view)
  }
}

run "only_the_login_mints_and_only_the_urls_function_signs" {
  command = plan

  assert {
    condition     = alltrue([for key, one in google_service_account_iam_member.token_minter : one.member == "serviceAccount:fn-auth-login@populus-dev.iam.gserviceaccount.com" && one.role == google_project_iam_custom_role.token_minter["first"].name && one.service_account_id == google_service_account.customer[key].name]) && length(google_service_account_iam_member.token_minter) == 6
    error_message = jsonencode(google_service_account_iam_member.token_minter)
  }
  assert {
    condition     = alltrue([for key, one in google_service_account_iam_member.url_signer : startswith(key, "storage-") && one.member == "serviceAccount:fn-aggregation-urls@populus-dev.iam.gserviceaccount.com" && one.role == google_project_iam_custom_role.url_signer["first"].name]) && length(google_service_account_iam_member.url_signer) == 3
    error_message = jsonencode(google_service_account_iam_member.url_signer)
  }
  # BigQuery refuses an account that was made a moment ago: another account is waited for.
  assert {
    condition     = time_sleep.accounts.triggers.accounts == sha256(jsonencode(sort([for one in google_service_account.customer : one.unique_id])))
    error_message = jsonencode(time_sleep.accounts)
  }
}

run "listings_are_private_and_of_their_subscriber" {
  command = plan

  assert {
    condition     = google_bigquery_analytics_hub_data_exchange.this["first"].discovery_type == "DISCOVERY_TYPE_PRIVATE" && alltrue([for one in google_bigquery_analytics_hub_listing.customer : one.discovery_type == "DISCOVERY_TYPE_PRIVATE"]) && length(google_bigquery_analytics_hub_listing.customer) == 1
    error_message = jsonencode(google_bigquery_analytics_hub_listing.customer)
  }
  assert {
    condition = toset([for one in google_bigquery_analytics_hub_listing_iam_member.subscriber : "${one.listing_id} ${one.role} ${one.member}"]) == toset([
      for member in ["group:analysts@example.com", "serviceAccount:warehouse-hubsubscriber@populus-delivery.iam.gserviceaccount.com"] :
      "customer_hubsubscriber_eu roles/analyticshub.subscriber ${member}"
    ])
    error_message = jsonencode(google_bigquery_analytics_hub_listing_iam_member.subscriber)
  }
}

run "what_customers_read_is_bounded_and_seen" {
  command = plan

  assert {
    condition     = { for id, one in google_cloud_quotas_quota_preference.query_bytes : one.quota_id => [one.parent, one.quota_config[0].preferred_value] } == { QueryUsagePerDay = ["projects/populus-delivery", "10485760"], QueryUsagePerUserPerDay = ["projects/populus-delivery", "102400"] }
    error_message = jsonencode(google_cloud_quotas_quota_preference.query_bytes)
  }
  assert {
    condition     = { for name, one in google_logging_project_sink.audit : name => one.destination } == { "archive/first" = "storage.googleapis.com/populus-dev-logs", "search/first" = "logging.googleapis.com/projects/populus-dev/locations/europe-north1/buckets/audit" }
    error_message = jsonencode(google_logging_project_sink.audit)
  }
}

run "without_a_delivery_project_the_services_own_queries_have_no_such_bound" {
  command = plan
  variables {
    environments = { dev = { data_project = "populus-dev" } }
    customers    = { filesonly = { name = "Files Only", environment = "dev", countries = ["EST"], scopes = [], scenarios = [] } }
    subscribers  = {}
  }

  assert {
    condition     = length(google_cloud_quotas_quota_preference.query_bytes) == 0 && length(google_logging_project_sink.audit) == 0 && alltrue([for one in google_service_account.customer : one.project == "populus-dev"])
    error_message = "The service's own queries would stop at customers' limit."
  }
}

run "environments_that_share_a_project_are_refused" {
  command = plan
  variables {
    environments = {
      dev  = { data_project = "populus-dev", delivery_project = "populus-delivery" }
      prod = { data_project = "populus-prod", delivery_project = "populus-delivery" }
    }
  }
  expect_failures = [var.environments]
}

run "a_workspace_without_an_environment_is_refused" {
  command = plan
  variables {
    environments = { prod = { data_project = "populus-prod" } }
  }
  expect_failures = [var.environments]
}
