import { expect, it } from "vitest";
import { checkEnvironment } from "./environment-rules.ts";
import { plannedResources } from "./planned-resources.ts";

const planned = (type: string, after: object, address = `module.environment.${type}.one`) => ({
  type: "test_plan",
  "@testrun": "whole",
  test_plan: { resource_changes: [{ address, mode: "managed", type, change: { after } }] },
});

/** Returns what a plan of one resource breaks. */
function brokenBy(line: object, isProduction = true): string[] {
  const resources = plannedResources([{ type: "version" }, line]).get("whole") ?? [];
  expect(resources).toHaveLength(1);
  return checkEnvironment(resources, isProduction).flatMap(({ says, broken }) => (broken.length > 0 ? [says] : []));
}

const BUCKET = { public_access_prevention: "enforced", uniform_bucket_level_access: true, force_destroy: false };
const ENDPOINT = { invoker_iam_disabled: true, ingress: "INGRESS_TRAFFIC_ALL", labels: { trigger: "http" } };
const WORKER = { invoker_iam_disabled: false, ingress: "INGRESS_TRAFFIC_INTERNAL_ONLY", labels: { trigger: "topic" } };
const DATABASE = { delete_protection_state: "DELETE_PROTECTION_ENABLED", deletion_policy: "ABANDON" };

it.each<readonly [what: string, broken: readonly string[], type: string, after: object]>([
  ["a member of a policy", [], "google_project_iam_member", { member: "user:somebody@example.com", role: "roles/run.invoker" }],
  ["everybody", ["nobody is granted what everybody has"], "google_storage_bucket_iam_member", { member: "allUsers" }],
  [
    "everybody in a list",
    ["nobody is granted what everybody has"],
    "google_cloud_run_v2_service_iam_binding",
    { members: ["allAuthenticatedUsers"] },
  ],
  ["a service account", [], "google_service_account", { account_id: "probe-runner" }],
  ["a service account of five letters", ["names have the form that Google takes"], "google_service_account", { account_id: "probe" }],
  [
    "a pool of two letters",
    ["names have the form that Google takes"],
    "google_iam_workload_identity_pool",
    { workload_identity_pool_id: "ci" },
  ],
  ["a bucket", [], "google_storage_bucket", BUCKET],
  ["a public bucket", ["a bucket is never public"], "google_storage_bucket", { ...BUCKET, public_access_prevention: "inherited" }],
  [
    "a bucket that goes with its files",
    ["a bucket is not deleted with its files"],
    "google_storage_bucket",
    { ...BUCKET, force_destroy: true },
  ],
  ["an endpoint", [], "google_cloud_run_v2_service", ENDPOINT],
  ["a worker", [], "google_cloud_run_v2_service", WORKER],
  [
    "a worker without the check",
    ["only endpoints are called without Cloud Run's check, and only they are reached from outside"],
    "google_cloud_run_v2_service",
    { ...WORKER, invoker_iam_disabled: true },
  ],
  [
    "a worker that is reached from outside",
    ["only endpoints are called without Cloud Run's check, and only they are reached from outside"],
    "google_cloud_run_v2_service",
    { ...WORKER, ingress: "INGRESS_TRAFFIC_ALL" },
  ],
  [
    "an owner",
    ["nobody has a basic role but who applies from CI, which owns the project"],
    "google_project_iam_member",
    { role: "roles/owner" },
  ],
  ["a table", [], "google_bigquery_table", { deletion_protection: true }],
  ["a table that may go", ["a table refuses to be deleted"], "google_bigquery_table", { deletion_protection: false }],
  ["a dataset that may go", ["a dataset is not deleted with its tables"], "google_bigquery_dataset", { delete_contents_on_destroy: true }],
  ["a database", [], "google_firestore_database", DATABASE],
  [
    "a database that may go",
    ["a database refuses to be deleted, and outlives Terraform's state"],
    "google_firestore_database",
    { ...DATABASE, deletion_policy: "DELETE" },
  ],
])("%s breaks %j", (_, broken, type, after) => {
  expect(brokenBy(planned(type, after))).toEqual(broken);
});

it("who applies from CI owns the project, and who plans does not view it", () => {
  const address = (key: string) => `module.environment.module.ci[0].google_project_iam_member.ci["${key}"]`;
  expect(brokenBy(planned("google_project_iam_member", { role: "roles/owner" }, address("apply/owner")))).toEqual([]);
  expect(brokenBy(planned("google_project_iam_member", { role: "roles/viewer" }, address("plan/viewer")))).not.toEqual([]);
});

it("a development environment may be destroyed", () => {
  expect(brokenBy(planned("google_bigquery_table", { deletion_protection: false }), false)).toEqual([]);
});
