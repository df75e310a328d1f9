# The only folder that a customer's storage token can read. A folder that still holds files may be destroyed: `customers delete` removes the files.
resource "google_storage_managed_folder" "results" {
  for_each = module.plan.folders

  bucket        = local.environment.export_bucket
  name          = each.value.name
  force_destroy = true
}

resource "google_storage_managed_folder_iam_member" "reader" {
  for_each = module.plan.folders

  bucket         = google_storage_managed_folder.results[each.key].bucket
  managed_folder = google_storage_managed_folder.results[each.key].name
  role           = "roles/storage.objectViewer"
  member         = google_service_account.customer[each.value.account].member

  depends_on = [time_sleep.accounts]
}
