# The functions' grants, in two literal tables. A test (scripts/terraform/roles.test.ts) compares them with the `open…` functions that each entry of
# functions.json imports. It fails for a grant that no code needs, and for a store without a grant.
#
# Not here: logging and tracing (the platform writes them, not the function's account), and reading its own source (the build's account does).
locals {
  # A grant is a role on one resource. `opened_by` names the stores and clients in `shared` that need it.
  grants = {
    # Keys, customers, maps, jobs, snapshots. Every endpoint with a key records the key's last use, so none is read-only. Firestore's roles apply to
    # the whole database: a function that reads one collection can read all.
    store = {
      role      = "roles/datastore.user"
      on        = "project"
      opened_by = ["openCustomerCountries", "openDeletedCustomers", "openJobs", "openKeyFinder", "openMachineAccounts", "openMapChanges", "openMaps", "openSnapshots", "openTicks", "openUsageRecorder"]
    }

    # Creates tasks in the one queue, with the queue's account as their publisher.
    queue         = { role = "roles/cloudtasks.enqueuer", on = "queue", opened_by = ["openTaskQueue"] }
    queue_account = { role = "roles/iam.serviceAccountUser", on = "queue_account", opened_by = ["openTaskQueue"] }

    topic = { role = "roles/pubsub.publisher", on = "topic", opened_by = ["openTopic"] }

    # Starts jobs, and reads and stops its own (https://cloud.google.com/bigquery/docs/access-control#bigquery.jobUser).
    warehouse_jobs = { role = "roles/bigquery.jobUser", on = "project", opened_by = ["openWarehouse", "openHeadcountsCopy"] }
    # Stops jobs of another function's account, which jobUser does not allow.
    stop_warehouse_jobs = { role = "stop_warehouse_jobs", on = "project", opened_by = ["openWarehouse"] }

    read_facts           = { role = "roles/bigquery.dataViewer", on = "dataset:mobility", opened_by = ["openWarehouse"] }
    read_monitored_maps  = { role = "roles/bigquery.dataViewer", on = "table:realtime.monitored_maps", opened_by = ["openWarehouse"] }
    write_monitored_maps = { role = "roles/bigquery.dataEditor", on = "table:realtime.monitored_maps", opened_by = ["openMonitoredMaps", "openWarehouse"] }
    write_headcounts     = { role = "roles/bigquery.dataEditor", on = "table:realtime.headcounts", opened_by = ["openWarehouse"] }
    # On the dataset, not the table: a load job needs bigquery.tables.create (https://cloud.google.com/bigquery/docs/loading-data#required_permissions).
    write_headcounts_copy = { role = "roles/bigquery.dataEditor", on = "dataset:realtime_eu", opened_by = ["openHeadcountsCopy"] }

    # Deletes the rows of deleted customers.
    forget_headcounts_copy = { role = "roles/bigquery.dataEditor", on = "table:realtime_eu.headcounts", opened_by = ["openWarehouse"] }

    # EXPORT DATA writes and overwrites as the account that runs the statement.
    exports = { role = "roles/storage.objectUser", on = "export_bucket", opened_by = ["openExports"] }

    # On the customers' accounts themselves: `terraform/customers` creates account, role and grant.
    tokens = { role = "mint_tokens", on = "customer_accounts", opened_by = ["openIamCredentials"] }
  }

  # The grants of each function. A function with an empty list has an account without any role.
  functions = {
    aggregation-cancel      = ["exports", "queue", "queue_account", "stop_warehouse_jobs", "store"]
    aggregation-dead-letter = ["exports", "queue", "queue_account", "stop_warehouse_jobs", "store"]
    aggregation-estimate    = ["read_facts", "store", "warehouse_jobs"]
    aggregation-jobs        = ["store"]
    aggregation-preview     = ["read_facts", "store", "warehouse_jobs"]
    aggregation-results     = ["read_facts", "store", "warehouse_jobs"]
    aggregation-run         = ["exports", "queue", "queue_account", "read_facts", "store", "warehouse_jobs"]
    aggregation-status      = ["store"]
    aggregation-submit      = ["queue", "queue_account", "read_facts", "store", "warehouse_jobs"]
    aggregation-sweep       = ["exports", "queue", "queue_account", "stop_warehouse_jobs", "store", "topic"]
    auth-login              = ["store", "tokens"]
    availability-list       = ["read_facts", "store", "warehouse_jobs"]
    customers-sweep         = ["exports", "forget_headcounts_copy", "store", "warehouse_jobs", "write_headcounts", "write_monitored_maps"]
    docs-openapi-data       = []
    docs-openapi-users      = []
    geographies-find        = ["read_facts", "store", "warehouse_jobs"]
    machine-accounts-create = ["store"]
    machine-accounts-list   = ["store"]
    maps-create             = ["read_facts", "store", "warehouse_jobs"]
    maps-delete             = ["store", "write_monitored_maps"]
    maps-list               = ["store"]
    maps-list-monitored     = ["store"]
    maps-update             = ["read_facts", "store", "warehouse_jobs", "write_monitored_maps"]
    realtime-data           = ["store"]
    realtime-refresh = [
      "read_facts", "read_monitored_maps", "store", "warehouse_jobs", "write_headcounts", "write_headcounts_copy"
    ]
    realtime-sweep  = ["store", "warehouse_jobs", "write_monitored_maps"]
    realtime-toggle = ["store", "write_monitored_maps"]
  }
}
