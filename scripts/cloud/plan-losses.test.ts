import { expect, it } from "vitest";
import { type Plan, planLosses } from "./plan-losses.ts";

type Values = Readonly<Record<string, unknown>>;

function plan(type: string, actions: readonly string[], before: Values | null, after: Values | null): Plan {
  return { resource_changes: [{ address: `${type}.this`, type, change: { actions: [...actions], before, after } }] };
}

const update = (type: string, before: Values, after: Values) => planLosses(plan(type, ["update"], before, after));
const schema = (...columns: readonly object[]) => JSON.stringify(columns);
const ID = { name: "id", type: "INTEGER", mode: "REQUIRED" };
const deleting = (age: number, prefix = "results/") => ({
  action: [{ type: "Delete", storage_class: "" }],
  condition: [{ age, matches_prefix: [prefix] }],
});

it.each([
  ["google_bigquery_table", "its rows"],
  ["google_bigquery_dataset", "its tables"],
  ["google_firestore_database", "its documents"],
  ["google_storage_bucket", "its files"],
  ["google_storage_bucket_iam_binding", "the access of the bucket's owners"],
  ["google_cloud_tasks_queue", "its tasks, and its name for a week"],
  ["google_pubsub_subscription", "its undelivered messages"],
  ["google_compute_global_address", "the address that DNS names"],
])("%s is not deleted or replaced, in either order", (type, contents) => {
  expect(planLosses(plan(type, ["delete"], {}, null))).toEqual([`${type}.this would be deleted, with ${contents}`]);
  for (const actions of [
    ["delete", "create"],
    ["create", "delete"],
  ])
    expect(planLosses(plan(type, actions, {}, {}))).toEqual([`${type}.this would be replaced, with ${contents}`]);
});

it("what holds nothing may go, and what is created, read, unchanged or forgotten is fine", () => {
  expect(planLosses(plan("google_cloudfunctions2_function", ["delete"], {}, null))).toEqual([]);
  expect(planLosses(plan("google_bigquery_table", ["delete"], { view: [{ query: "SELECT 1" }] }, null))).toEqual([]);
  for (const action of ["create", "read", "no-op", "forget"])
    expect(planLosses(plan("google_bigquery_table", [action], action === "create" ? null : {}, action === "forget" ? null : {}))).toEqual(
      [],
    );
  expect(planLosses({ resource_changes: [] })).toEqual([]);
});

it.each<[string, string, Values, Values, string]>([
  [
    "a table's protection",
    "google_bigquery_table",
    { deletion_protection: true },
    { deletion_protection: false },
    "deletion_protection is turned off",
  ],
  [
    "a column",
    "google_bigquery_table",
    { schema: schema(ID, { name: "day", type: "DATE" }) },
    { schema: schema(ID) },
    "schema loses the column day",
  ],
  [
    "a column's type",
    "google_bigquery_table",
    { schema: schema(ID) },
    { schema: schema({ ...ID, type: "STRING" }) },
    "schema changes the column id from INTEGER REQUIRED to STRING REQUIRED",
  ],
  ["a NOT NULL column", "google_bigquery_table", { schema: schema() }, { schema: schema(ID) }, "schema gains the REQUIRED column id"],
  [
    "partitions that now expire",
    "google_bigquery_table",
    { time_partitioning: [{ expiration_ms: null, field: "day" }] },
    { time_partitioning: [{ expiration_ms: 86400000, field: "day" }] },
    'time_partitioning.expiration_ms is shortened from "never" to 86400000',
  ],
  [
    "tables that now expire",
    "google_bigquery_dataset",
    { default_table_expiration_ms: null },
    { default_table_expiration_ms: 1 },
    "is shortened",
  ],
  ["time travel", "google_bigquery_dataset", { max_time_travel_hours: "168" }, { max_time_travel_hours: "48" }, 'from "168" to "48"'],
  [
    "recovery of documents",
    "google_firestore_database",
    { point_in_time_recovery_enablement: "POINT_IN_TIME_RECOVERY_ENABLED" },
    { point_in_time_recovery_enablement: "POINT_IN_TIME_RECOVERY_DISABLED" },
    "point_in_time_recovery_enablement goes",
  ],
  [
    "deletion of documents",
    "google_firestore_database",
    { deletion_policy: "ABANDON" },
    { deletion_policy: "DELETE" },
    "deletion_policy goes",
  ],
  ["backups", "google_firestore_backup_schedule", { retention: "604800s" }, { retention: "86400s" }, 'from "604800s" to "86400s"'],
  [
    "messages",
    "google_pubsub_subscription",
    { message_retention_duration: "1209600s" },
    { message_retention_duration: "600s" },
    "is shortened",
  ],
  [
    "dead letters",
    "google_pubsub_subscription",
    { dead_letter_policy: [{ dead_letter_topic: "t" }] },
    { dead_letter_policy: [] },
    'dead_letter_policy.dead_letter_topic is removed ("t")',
  ],
  ["a bucket's files", "google_storage_bucket", { force_destroy: false }, { force_destroy: true }, "force_destroy is turned on"],
  [
    "a bucket's versions",
    "google_storage_bucket",
    { versioning: [{ enabled: true }] },
    { versioning: [{ enabled: false }] },
    "is turned off",
  ],
  [
    "files sooner",
    "google_storage_bucket",
    { lifecycle_rule: [deleting(32)] },
    { lifecycle_rule: [deleting(8)] },
    "deletes more: after 8 days",
  ],
  [
    "files of another folder",
    "google_storage_bucket",
    { lifecycle_rule: [deleting(32)] },
    { lifecycle_rule: [deleting(32), deleting(32, "imports/")] },
    "deletes more: after 32 days",
  ],
  ["audit logs", "google_logging_project_bucket_config", { retention_days: 400 }, { retention_days: 30 }, "retention_days is shortened"],
])("a change that keeps or protects less of %s is refused", (_what, type, before, after, fault) => {
  expect(update(type, before, after)).toEqual([expect.stringContaining(fault)]);
});

it("a change that keeps as much, or more, is not", () => {
  const day = { name: "day", type: "DATE", mode: "NULLABLE" };
  expect(update("google_bigquery_table", { schema: schema(ID) }, { schema: schema(ID, day), description: "x" })).toEqual([]);
  expect(update("google_bigquery_table", { schema: schema({ name: "day", type: "DATE" }) }, { schema: schema(day) })).toEqual([]);
  expect(
    update("google_bigquery_table", { time_partitioning: [{ expiration_ms: 5 }] }, { time_partitioning: [{ expiration_ms: null }] }),
  ).toEqual([]);
  expect(update("google_bigquery_dataset", { max_time_travel_hours: "48" }, { max_time_travel_hours: "168" })).toEqual([]);
  expect(update("google_storage_bucket", { lifecycle_rule: [deleting(8)] }, { lifecycle_rule: [deleting(32)] })).toEqual([]);
  expect(update("google_firestore_backup_schedule", { retention: "86400s" }, { retention: "604800s" })).toEqual([]);
  // Not known before the apply, so absent.
  expect(update("google_bigquery_table", { schema: schema(ID), deletion_protection: true }, {})).toEqual([]);
});
