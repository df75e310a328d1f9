/** A role on one resource: a kind, and after a colon which one of that kind. */
interface Grant {
  readonly role: string;
  readonly on: string;
}

/** A role that Google does not have. */
interface CustomRole {
  readonly role_id: string;
  readonly title: string;
  readonly description: string;
  readonly permissions: readonly string[];
}

/**
 * The grants that functions may need. `permissions.ts` says when code needs one. Terraform grants from this table, and the local cloud enforces
 * it: both read `infra/generated/grants.json`. Not here: logging and tracing (the platform writes them, not the function's account), and reading
 * its own source (the build's account does).
 */
export const GRANTS = {
  // Keys, customers, maps, jobs, snapshots. Firestore's roles apply to a whole database: who reads one collection can read all. What matters is
  // who writes: a key that somebody writes is a key that opens everything. `main` and `usage` stand for the databases that the functions are pointed at.
  store: { role: "roles/datastore.user", on: "database:main" },
  read_store: { role: "roles/datastore.viewer", on: "database:main" },
  // What is noted about requests, so that a function that only reads need not write where keys are.
  usage: { role: "roles/datastore.user", on: "database:usage" },

  // Creates tasks in the one queue, with the queue's account as their publisher.
  queue: { role: "roles/cloudtasks.enqueuer", on: "queue" },
  queue_account: { role: "roles/iam.serviceAccountUser", on: "queue_account" },

  topic: { role: "roles/pubsub.publisher", on: "topic:jobs" },
  measurements_topic: { role: "roles/pubsub.publisher", on: "topic:measurements" },

  // Starts jobs, and reads and stops its own (https://cloud.google.com/bigquery/docs/access-control#bigquery.jobUser).
  warehouse_jobs: { role: "roles/bigquery.jobUser", on: "project" },
  // Stops jobs of another function's account, which jobUser does not allow.
  stop_warehouse_jobs: { role: "stop_warehouse_jobs", on: "project" },

  // Runs queries in the reservation for what somebody waits for, where there is one.
  use_reservation: { role: "use_reservation", on: "reservation" },

  // Facts, dimensions and the ledger, all published. Raw counts are in `intake`, which only the import reaches.
  read_facts: { role: "roles/bigquery.dataViewer", on: "dataset:mobility" },
  read_presence: { role: "roles/bigquery.dataViewer", on: "table:realtime.presence" },
  read_monitored_maps: { role: "roles/bigquery.dataViewer", on: "table:realtime.monitored_maps" },
  write_monitored_maps: { role: "roles/bigquery.dataEditor", on: "table:realtime.monitored_maps" },
  read_map_cells: { role: "roles/bigquery.dataViewer", on: "table:realtime.map_cells" },
  write_map_cells: { role: "roles/bigquery.dataEditor", on: "table:realtime.map_cells" },
  read_headcounts: { role: "roles/bigquery.dataViewer", on: "table:realtime.headcounts" },
  write_headcounts: { role: "roles/bigquery.dataEditor", on: "table:realtime.headcounts" },
  // The customers' tables: they are listed, loaded, and dropped with their customer. A load job needs bigquery.tables.create on the dataset
  // (https://cloud.google.com/bigquery/docs/loading-data#required_permissions).
  write_customer_tables: { role: "roles/bigquery.dataEditor", on: "dataset:realtime_customers" },
  write_customer_tables_eu: { role: "roles/bigquery.dataEditor", on: "dataset:realtime_eu" },

  // EXPORT DATA writes and overwrites as the account that runs the statement.
  exports: { role: "roles/storage.objectUser", on: "export_bucket" },

  // What arrives in the landing bucket, and the quarantine in it.
  landing: { role: "roles/storage.objectUser", on: "landing_bucket" },
  // The import of what arrives, alone of all functions: raw counts go through `staging` into `intake`, and what may be told of them into `mobility`.
  load_staging: { role: "roles/bigquery.dataEditor", on: "dataset:staging" },
  load_intake: { role: "roles/bigquery.dataEditor", on: "dataset:intake" },
  load_facts: { role: "roles/bigquery.dataEditor", on: "dataset:mobility" },
  // Which days were loaded: the ledger has no raw counts.
  read_arrivals: { role: "roles/bigquery.dataViewer", on: "table:intake.batches" },

  // On the customers' accounts themselves: `terraform/customers` creates account, role and grant.
  tokens: { role: "mint_tokens", on: "customer_accounts" },
  // On the storage accounts alone. Who signs can sign as much as who mints: both are one function's.
  signatures: { role: "sign_urls", on: "customer_storage_accounts" },
} as const satisfies Readonly<Record<string, Grant>>;

/** The custom roles, by the name that a grant uses; `mint_tokens` and `sign_urls` are those of `terraform/customers`. */
export const CUSTOM_ROLES = {
  // A BigQuery account can stop only its own jobs. The only predefined role that can stop those of others is the administrator's.
  stop_warehouse_jobs: {
    role_id: "stopWarehouseJobs",
    title: "Stop warehouse jobs",
    description: "For functions that cancel queries which the aggregation worker has started",
    permissions: ["bigquery.jobs.get", "bigquery.jobs.update"],
  },
  // The predefined roles with this permission may also change reservations.
  use_reservation: {
    role_id: "useReservation",
    title: "Use a reservation",
    description: "For functions whose queries run in the reservation for interactive queries",
    permissions: ["bigquery.reservations.use"],
  },
} as const satisfies Readonly<Record<string, CustomRole>>;
