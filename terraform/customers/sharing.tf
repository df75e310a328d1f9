# Scenario A. One private exchange for all customers of a delivery project. The grant is on the listing, so a subscriber sees only its own listing.
resource "google_bigquery_analytics_hub_data_exchange" "this" {
  for_each = local.delivery_projects

  project          = each.value
  location         = "EU"
  data_exchange_id = "populus_${local.name}"
  display_name     = "Populus ${local.name}"
  description      = "Headcounts, one listing a customer"
  discovery_type   = "DISCOVERY_TYPE_PRIVATE"
}

resource "google_bigquery_analytics_hub_listing" "customer" {
  for_each = module.plan.listings

  project          = each.value.project
  location         = google_bigquery_analytics_hub_data_exchange.this[local.key_of[each.value.project]].location
  data_exchange_id = google_bigquery_analytics_hub_data_exchange.this[local.key_of[each.value.project]].data_exchange_id
  listing_id       = each.value.listing_id
  display_name     = each.value.name
  description      = each.value.description
  discovery_type   = "DISCOVERY_TYPE_PRIVATE"

  bigquery_dataset {
    dataset = google_bigquery_dataset.customer[each.key].id
  }

  # A subscription made before the view is authorised would answer "access denied".
  depends_on = [google_bigquery_dataset_access.authorised_view]
}

resource "google_bigquery_analytics_hub_listing_iam_member" "subscriber" {
  for_each = module.plan.subscribers

  project          = google_bigquery_analytics_hub_listing.customer[each.value.listing].project
  location         = google_bigquery_analytics_hub_listing.customer[each.value.listing].location
  data_exchange_id = google_bigquery_analytics_hub_listing.customer[each.value.listing].data_exchange_id
  listing_id       = google_bigquery_analytics_hub_listing.customer[each.value.listing].listing_id
  role             = "roles/analyticshub.subscriber"
  member           = each.value.member

  depends_on = [google_service_account.customer]
}
