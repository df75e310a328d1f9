# What a function may do. Which grants a function has is generated from its code (`infra/generated/permissions.json`): what it opens, and what its
# statements read and write. What a grant is, is told here; the rule that a function needs it is in `scripts/terraform/permissions.ts`.
#
# Not here: logging and tracing (the platform writes them, not the function's account), and reading its own source (the build's account does).
locals {
  # A grant is a role on one resource.
  grants = {
    # Keys, customers, maps, jobs, snapshots. Every endpoint with a key notes when it was used, so none of them only reads. Firestore's roles end
    # at the database: a function that reads one collection can read all.
    store = {
      role = "roles/datastore.user"
      on   = "project"
    }

    # Making tasks in the one queue, and giving them the queue's account as who publishes.
    queue         = { role = "roles/cloudtasks.enqueuer", on = "queue" }
    queue_account = { role = "roles/iam.serviceAccountUser", on = "queue_account" }

    topic = { role = "roles/pubsub.publisher", on = "topic" }

    # Starting jobs, and seeing and stopping one's own (https://cloud.google.com/bigquery/docs/access-control#bigquery.jobUser).
    warehouse_jobs = { role = "roles/bigquery.jobUser", on = "project" }
    # Stopping the jobs of another function's account, which jobUser does not allow.
    stop_warehouse_jobs = { role = "stop_warehouse_jobs", on = "project" }

    read_facts           = { role = "roles/bigquery.dataViewer", on = "dataset:mobility" }
    read_monitored_maps  = { role = "roles/bigquery.dataViewer", on = "table:realtime.monitored_maps" }
    write_monitored_maps = { role = "roles/bigquery.dataEditor", on = "table:realtime.monitored_maps" }
    write_headcounts     = { role = "roles/bigquery.dataEditor", on = "table:realtime.headcounts" }
    # The dataset and not the table: a load job asks for bigquery.tables.create (https://cloud.google.com/bigquery/docs/loading-data#required_permissions).
    write_headcounts_copy = { role = "roles/bigquery.dataEditor", on = "dataset:realtime_eu" }

    # Deleting the rows of customers that are gone.
    forget_headcounts_copy = { role = "roles/bigquery.dataEditor", on = "table:realtime_eu.headcounts" }

    # EXPORT DATA writes and overwrites with the account of who runs the statement.
    exports = { role = "roles/storage.objectUser", on = "export_bucket" }

    # On the customers' accounts themselves: `terraform/customers` makes all, account, role and grant.
    tokens = { role = "mint_tokens", on = "customer_accounts" }
  }

  # The grants of each function, by name. One without any has an account to be nobody.
  functions = jsondecode(file("${path.module}/../../../infra/generated/permissions.json"))
}
