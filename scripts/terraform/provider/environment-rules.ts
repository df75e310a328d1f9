import type { PlannedResource } from "./planned-resources.ts";

/** What a whole environment keeps to, whatever its modules are. Each returns the addresses that do not. */
interface Rule {
  readonly says: string;
  /** Whether it holds in production alone, where data is protected. */
  readonly ofProduction?: boolean;
  broken(resource: PlannedResource): boolean;
}

const EVERYBODY: ReadonlySet<unknown> = new Set(["allUsers", "allAuthenticatedUsers"]);
const BASIC: ReadonlySet<unknown> = new Set(["roles/owner", "roles/editor", "roles/viewer"]);

/** Names that the provider refuses when they are of another form, which its schema does not say: the argument, by the type of the resource. */
const NAMES: Readonly<Record<string, readonly [argument: string, form: RegExp]>> = {
  google_cloud_run_v2_job: ["name", /^[a-z][a-z0-9-]{0,47}[a-z0-9]$/],
  google_cloud_run_v2_service: ["name", /^[a-z][a-z0-9-]{0,47}[a-z0-9]$/],
  google_compute_backend_service: ["name", /^[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/],
  google_compute_managed_ssl_certificate: ["name", /^[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/],
  google_compute_region_network_endpoint_group: ["name", /^[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/],
  google_iam_workload_identity_pool: ["workload_identity_pool_id", /^(?!gcp-)[a-z0-9-]{4,32}$/],
  google_iam_workload_identity_pool_provider: ["workload_identity_pool_provider_id", /^(?!gcp-)[a-z0-9-]{4,32}$/],
  google_monitoring_custom_service: ["service_id", /^[\w.:-]+$/],
  google_monitoring_slo: ["slo_id", /^[\w.:-]+$/],
  google_project_iam_custom_role: ["role_id", /^[\w.]{3,64}$/],
  google_pubsub_subscription: ["name", /^(?!goog)[A-Za-z][\w.~+%-]{2,254}$/],
  google_pubsub_topic: ["name", /^(?!goog)[A-Za-z][\w.~+%-]{2,254}$/],
  google_service_account: ["account_id", /^[a-z][a-z0-9-]{4,28}[a-z0-9]$/],
  google_storage_bucket: ["name", /^[a-z0-9][a-z0-9_-]{1,61}[a-z0-9]$/],
};

const RULES: readonly Rule[] = [
  {
    says: "names have the form that Google takes",
    broken: ({ type, values }) => {
      const [argument, form] = NAMES[type] ?? [];
      const name = argument === undefined ? undefined : values[argument];
      return typeof name === "string" && form?.test(name) === false;
    },
  },
  {
    says: "nobody is granted what everybody has",
    broken: ({ values }) => [values.member, ...(Array.isArray(values.members) ? values.members : [])].some((one) => EVERYBODY.has(one)),
  },
  {
    says: "a bucket is never public",
    broken: ({ type, values }) =>
      type === "google_storage_bucket" && !(values.public_access_prevention === "enforced" && values.uniform_bucket_level_access === true),
  },
  {
    says: "only endpoints are called without Cloud Run's check, and only they are reached from outside",
    broken: ({ type, values }) => {
      if (type !== "google_cloud_run_v2_service") return false;
      const isEndpoint = labelOf(values, "trigger") === "http";
      return (values.invoker_iam_disabled === true) !== isEndpoint || (values.ingress === "INGRESS_TRAFFIC_INTERNAL_ONLY") === isEndpoint;
    },
  },
  {
    says: "nobody has a basic role but who applies from CI, which owns the project",
    broken: ({ address, values }) =>
      BASIC.has(values.role) &&
      !(values.role === "roles/owner" && address === 'module.environment.module.ci[0].google_project_iam_member.ci["apply/owner"]'),
  },
  {
    says: "a table refuses to be deleted",
    ofProduction: true,
    broken: ({ type, values }) => type === "google_bigquery_table" && values.deletion_protection !== true,
  },
  {
    says: "a dataset is not deleted with its tables",
    ofProduction: true,
    broken: ({ type, values }) => type === "google_bigquery_dataset" && values.delete_contents_on_destroy !== false,
  },
  {
    says: "a database refuses to be deleted, and outlives Terraform's state",
    ofProduction: true,
    broken: ({ type, values }) =>
      type === "google_firestore_database" &&
      !(values.delete_protection_state === "DELETE_PROTECTION_ENABLED" && values.deletion_policy === "ABANDON"),
  },
  {
    says: "a bucket is not deleted with its files",
    ofProduction: true,
    broken: ({ type, values }) => type === "google_storage_bucket" && values.force_destroy !== false,
  },
];

/** Returns how each rule holds for a planned environment: what it says, and the resources that break it. */
export function checkEnvironment(
  resources: readonly PlannedResource[],
  isProduction: boolean,
): { readonly says: string; readonly broken: readonly string[] }[] {
  return RULES.filter(({ ofProduction }) => isProduction || ofProduction !== true).map(({ says, broken }) => ({
    says,
    broken: resources.filter(broken).map(({ address }) => address),
  }));
}

function labelOf({ labels }: PlannedResource["values"], name: string): unknown {
  return typeof labels === "object" && labels !== null ? new Map<string, unknown>(Object.entries(labels)).get(name) : undefined;
}
