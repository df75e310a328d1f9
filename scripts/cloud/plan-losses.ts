import * as v from "valibot";
import { narrowings } from "./narrowings.ts";

const Values = v.nullable(v.record(v.string(), v.unknown()));
const ResourceChange = v.object({
  address: v.string(),
  type: v.string(),
  change: v.object({ actions: v.array(v.string()), before: Values, after: Values }),
});

/** A plan as `terraform show -json` prints it, as far as this file reads it. */
export const Plan = v.object({ resource_changes: v.optional(v.array(ResourceChange), []) });
export type Plan = v.InferOutput<typeof Plan>;

/** What is lost with a resource of a type. Resources of other types can be made again from Terraform's files alone. */
const CONTENTS: Readonly<Record<string, string>> = {
  google_bigquery_dataset: "its tables",
  google_bigquery_table: "its rows",
  google_cloud_tasks_queue: "its tasks, and its name for a week",
  google_compute_global_address: "the address that DNS names",
  google_firestore_backup_schedule: "later backups",
  google_firestore_database: "its documents",
  google_kms_crypto_key: "what it encrypts",
  google_logging_project_bucket_config: "its entries",
  google_pubsub_subscription: "its undelivered messages",
  google_pubsub_topic: "its undelivered messages",
  google_secret_manager_secret: "its versions",
  google_storage_bucket: "its files",
  google_storage_bucket_iam_binding: "the access of the bucket's owners",
};

/** Returns a line for each stateful resource that a plan deletes, replaces, or keeps less of or protects less than before. */
export function planLosses(plan: Plan): string[] {
  return plan.resource_changes.flatMap(({ address, type, change: { actions, before, after } }) => {
    const contents = isView(type, before) ? undefined : CONTENTS[type];
    if (contents === undefined || before === null) return [];
    if (actions.includes("delete")) return [`${address} would be ${actions.length > 1 ? "replaced" : "deleted"}, with ${contents}`];
    return after === null ? [] : narrowings(type, before, after).map((narrowing) => `${address}: ${narrowing}`);
  });
}

/** A view has no rows of its own. */
function isView(type: string, before: v.InferOutput<typeof Values>): boolean {
  return type === "google_bigquery_table" && Array.isArray(before?.view) && before.view.length > 0;
}
