import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

/**
 * CI's account that plans has a role for each service whose resources there are, in place of `roles/viewer`, which reads customers' data. A kind of resource
 * that this table does not know may need another: Terraform would say so only at Google.
 */
const READ_BY: readonly (readonly [types: RegExp, needs: readonly string[]])[] = [
  [/^google_artifact_registry_repository$/, ["artifactregistry.reader"]],
  [/^google_bigquery_(dataset|dataset_access|table)$/, ["bigquery.metadataViewer"]],
  [/^google_cloud_run_v2_(job|service)$/, ["run.viewer"]],
  [/^google_cloud_scheduler_job$/, ["cloudscheduler.viewer"]],
  [/^google_cloud_tasks_queue$/, ["cloudtasks.viewer"]],
  [/^google_compute_/, ["compute.viewer"]],
  [/^google_dns_record_set$/, ["dns.reader"]],
  [/^google_firebaserules_/, ["firebaserules.viewer"]],
  [/^google_firestore_backup_schedule$/, ["datastore.backupSchedules.get"]],
  [/^google_firestore_database$/, ["datastore.databases.getMetadata"]],
  [/^google_firestore_(field|index)$/, ["datastore.indexes.get", "datastore.indexes.list"]],
  [/^google_iam_workload_identity_pool$/, ["iam.workloadIdentityPools.get", "iam.workloadIdentityPools.getAttestationRules"]],
  [/^google_iam_workload_identity_pool_provider$/, ["iam.workloadIdentityPoolProviders.get"]],
  [/^google_logging_log_view$/, ["logging.views.get"]],
  [/^google_logging_metric$/, ["logging.logMetrics.get"]],
  [/^google_logging_project_bucket_config$/, ["logging.buckets.get"]],
  [/^google_logging_project_sink$/, ["logging.sinks.get"]],
  [/^google_monitoring_/, ["monitoring.viewer"]],
  [/^google_project$/, ["resourcemanager.projects.get"]],
  [/^google_project_iam_custom_role$/, ["iam.roleViewer"]],
  [/^google_pubsub_(subscription|topic)$/, ["pubsub.viewer"]],
  [/^google_service_account$/, ["iam.serviceAccounts.get"]],
  [/^google_storage_(bucket|notification)$/, ["storage.bucketViewer"]],
  [/_iam_(binding|member)$|^google_project_iam_audit_config$/, ["iam.securityReviewer"]],
  // Everybody reads the console's files; a role on the billing account is given by hand (terraform/README.md); time is no resource of Google.
  [/^google_storage_bucket_object$|^google_billing_budget$|^time_sleep$/, []],
];
const TERRAFORM = join(import.meta.dirname, "../../terraform");

/** Returns the types of the resources and data that an environment has; CI does not plan the customers' root. */
function plannedTypes(): string[] {
  const files = readdirSync(TERRAFORM, { recursive: true, encoding: "utf8" }).filter(
    (file) => /^(environments|modules)\//.test(file) && file.endsWith(".tf") && !/\/(\.terraform|tests)\//.test(file),
  );
  const types = files.flatMap((file) =>
    [...readFileSync(join(TERRAFORM, file), "utf8").matchAll(/^(?:resource|data) "(\w+)"/gm)].map(([, type = ""]) => type),
  );
  return [...new Set(types)].sort();
}

/** Returns the texts of a list in `modules/environment-plan/ci.tf`. */
function listed(name: string): string[] {
  const [, list = ""] =
    readFileSync(join(TERRAFORM, "modules/environment-plan/ci.tf"), "utf8").match(new RegExp(`${name} = toset\\(\\[(.*?)\\]`, "s")) ?? [];
  return [...list.matchAll(/"([^"]+)"/g)].map(([, text = ""]) => text);
}

it("who plans from CI may read every kind of resource, and has no role that none needs", () => {
  const types = plannedTypes();
  const readers = types.map((type) => ({ type, by: READ_BY.filter(([pattern]) => pattern.test(type)) }));
  expect(readers.filter(({ by }) => by.length !== 1).map(({ type }) => type)).toEqual([]);
  // Besides, each request names the project that it counts for.
  const needed = new Set([...readers.flatMap(({ by }) => by.flatMap(([, needs]) => needs)), "serviceusage.serviceUsageConsumer"]);
  expect([...listed("ci_plan_roles"), ...listed("ci_plan_permissions")].sort()).toEqual([...needed].sort());
});
