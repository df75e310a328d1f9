output "customers" {
  description = "What to tell each customer, by uid: its folder, its datasets, and the listing to subscribe to."
  value = {
    for uid, folder in module.plan.folders : uid => {
      folder   = "gs://${local.environment.export_bucket}/${folder.name}"
      datasets = [for id, dataset in module.plan.datasets : "${dataset.project}.${id}" if dataset.uid == uid && dataset.scenario == "B"]
      listings = [for key, listing in google_bigquery_analytics_hub_listing.customer : listing.name if module.plan.listings[key].uid == uid]
    }
  }
}

output "load_minutes" {
  description = "Every how many minutes the functions load a customer's table of headcounts. Tell customers if it is more than 5."
  value       = module.plan.load_minutes
}

output "totals" {
  description = "Counts of the resources that Google limits."
  value       = module.plan.totals
}
