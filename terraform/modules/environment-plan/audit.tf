locals {
  # Kinds of data access entries, by service. The functions are exempt, because they log their own requests. What remains is people, customers' tokens
  # and unexpected accounts. Firestore's entries: https://cloud.google.com/firestore/docs/audit-logging
  audited = {
    "datastore.googleapis.com" = ["DATA_READ", "DATA_WRITE"]
    "storage.googleapis.com"   = ["DATA_READ", "DATA_WRITE"]
  }
}
