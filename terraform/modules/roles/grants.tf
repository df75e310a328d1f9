# The functions' grants. Which grants a function has is generated from its code (`infra/generated/permissions.json`): what it opens, and what its
# statements read and write. This file defines each grant; `scripts/terraform/permissions.ts` says when code needs it.
#
# Not here: logging and tracing (the platform writes them, not the function's account), and reading its own source (the build's account does).
locals {
  # A grant is a role on one resource.
  grants = {
    # Keys, customers, maps, jobs, snapshots. Every endpoint with a key records the key's last use, so none is read-only. Firestore's roles apply to
    # the whole database: a function that reads one collection can read all.
    store = {
      role = "roles/datastore.user"
      on   = "project"
    }

    # Creates tasks in the one queue, with the queue's account as their publisher.
    queue         = { role = "roles/cloudtasks.enqueuer", on = "queue" }
    queue_account = { role = "roles/iam.serviceAccountUser", on = "queue_account" }

    topic              = { role = "roles/pubsub.publisher", on = "topic:jobs" }
    measurements_topic = { role = "roles/pubsub.publisher", on = "topic:measurements" }

    # Starts jobs, and reads and stops its own (https://cloud.google.com/bigquery/docs/access-control#bigquery.jobUser).
    warehouse_jobs = { role = "roles/bigquery.jobUser", on = "project" }
    # Stops jobs of another function's account, which jobUser does not allow.
    stop_warehouse_jobs = { role = "stop_warehouse_jobs", on = "project" }

    # Facts, dimensions and the ledger, all published. Raw counts are in `intake`, which no grant here may name.
    read_facts           = { role = "roles/bigquery.dataViewer", on = "dataset:mobility" }
    read_presence        = { role = "roles/bigquery.dataViewer", on = "table:realtime.presence" }
    read_monitored_maps  = { role = "roles/bigquery.dataViewer", on = "table:realtime.monitored_maps" }
    write_monitored_maps = { role = "roles/bigquery.dataEditor", on = "table:realtime.monitored_maps" }
    read_map_cells       = { role = "roles/bigquery.dataViewer", on = "table:realtime.map_cells" }
    write_map_cells      = { role = "roles/bigquery.dataEditor", on = "table:realtime.map_cells" }
    read_headcounts      = { role = "roles/bigquery.dataViewer", on = "table:realtime.headcounts" }
    write_headcounts     = { role = "roles/bigquery.dataEditor", on = "table:realtime.headcounts" }
    # On the dataset, not the table: a load job needs bigquery.tables.create (https://cloud.google.com/bigquery/docs/loading-data#required_permissions).
    write_headcounts_copy = { role = "roles/bigquery.dataEditor", on = "dataset:realtime_eu" }

    # Deletes the rows of deleted customers.
    forget_headcounts_copy = { role = "roles/bigquery.dataEditor", on = "table:realtime_eu.headcounts" }

    # EXPORT DATA writes and overwrites as the account that runs the statement.
    exports = { role = "roles/storage.objectUser", on = "export_bucket" }

    # On the customers' accounts themselves: `terraform/customers` creates account, role and grant.
    tokens = { role = "mint_tokens", on = "customer_accounts" }
    # On the storage accounts alone.
    signatures = { role = "sign_urls", on = "customer_storage_accounts" }
  }

  # Roles that Google does not have, by the name that a grant uses.
  custom_roles = {
    # A BigQuery account can stop only its own jobs. The only predefined role that can stop those of others is the administrator's.
    stop_warehouse_jobs = {
      role_id     = "stopWarehouseJobs"
      title       = "Stop warehouse jobs"
      description = "For functions that cancel queries which the aggregation worker has started"
      permissions = ["bigquery.jobs.get", "bigquery.jobs.update"]
    }
  }

  # Tables that a function's statements name and that none of its grants reaches. A grant reaches a table by itself or by its dataset.
  unreached = {
    for name, needs in var.permissions : name => [
      for table in setunion(needs.tables, needs.writes) : table
      if !anytrue([
        for grant in needs.grants : contains(["table:${table}", "dataset:${split(".", table)[0]}"], local.grants[grant].on)
        && contains(contains(needs.writes, table) ? ["roles/bigquery.dataEditor"] : ["roles/bigquery.dataEditor", "roles/bigquery.dataViewer"], local.grants[grant].role)
      ])
    ]
  }
}
