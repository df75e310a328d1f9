# For environments from when there was one delivery project: what it has once is now that of the first.
moved {
  from = google_project_iam_custom_role.token_minter
  to   = google_project_iam_custom_role.token_minter["first"]
}

moved {
  from = google_project_iam_custom_role.url_signer
  to   = google_project_iam_custom_role.url_signer["first"]
}

moved {
  from = google_project_iam_custom_role.warehouse_user
  to   = google_project_iam_custom_role.warehouse_user["first"]
}

moved {
  from = google_bigquery_analytics_hub_data_exchange.this
  to   = google_bigquery_analytics_hub_data_exchange.this["first"]
}

moved {
  from = google_project_iam_audit_config.tokens["iam"]
  to   = google_project_iam_audit_config.tokens["first"]
}

moved {
  from = google_logging_project_sink.audit["archive"]
  to   = google_logging_project_sink.audit["archive/first"]
}

moved {
  from = google_logging_project_sink.audit["search"]
  to   = google_logging_project_sink.audit["search/first"]
}

moved {
  from = google_project_iam_member.search["search"]
  to   = google_project_iam_member.search["search/first"]
}

moved {
  from = google_storage_bucket_iam_member.archive["archive"]
  to   = google_storage_bucket_iam_member.archive["archive/first"]
}

moved {
  from = google_cloud_quotas_quota_preference.query_bytes["QueryUsagePerDay"]
  to   = google_cloud_quotas_quota_preference.query_bytes["QueryUsagePerDay/first"]
}

moved {
  from = google_cloud_quotas_quota_preference.query_bytes["QueryUsagePerUserPerDay"]
  to   = google_cloud_quotas_quota_preference.query_bytes["QueryUsagePerUserPerDay/first"]
}
