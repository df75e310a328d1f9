/** A check of Checkov that a resource fails, and should. */
interface AcceptedFinding {
  readonly check: string;
  /** Names of resources, as in the file: `google_storage_bucket.exports`. */
  readonly resources: readonly string[];
  readonly reason: string;
}

const DELETED = "what is deleted must be gone: an old version would keep a customer's data, or raw counts";

/** Everything that Checkov may report. Anything else is a failure, and so is an entry that it no longer reports. */
export const acceptedFindings: readonly AcceptedFinding[] = [
  {
    check: "CKV_GCP_28",
    resources: ["google_storage_bucket_iam_member.readers"],
    reason: "the console is public: the same page, scripts and base map for everybody, and nothing of a customer",
  },
  {
    check: "CKV_GCP_62",
    resources: [...["exports", "function_sources", "logs", "console", "landing", "export"].map((name) => `google_storage_bucket.${name}`)],
    reason: "the audit log has who read and changed what; usage logs would say the same later",
  },
  {
    check: "CKV_GCP_73",
    resources: ["google_compute_security_policy.limits"],
    reason: "Log4j is a library of Java, and no function runs Java",
  },
  { check: "CKV_GCP_78", resources: ["exports", "landing", "export"].map((name) => `google_storage_bucket.${name}`), reason: DELETED },
  {
    check: "CKV_GCP_78",
    resources: ["function_sources", "logs", "console"].map((name) => `google_storage_bucket.${name}`),
    reason:
      "names of files have the hash of their content, or a retention policy keeps them; soft delete keeps what was removed for a week",
  },
  {
    check: "CKV_GCP_80",
    resources: ["headcounts", "view", "this"].map((name) => `google_bigquery_table.${name}`),
    reason: "a table has the key of its dataset (`kms_keys`), and a view has no rows",
  },
  {
    check: "CKV_GCP_81",
    resources: ["google_bigquery_dataset.customer"],
    reason: "it holds a view, no rows; the datasets with rows have `kms_keys`",
  },
  {
    check: "CKV_GCP_83",
    resources: ["google_pubsub_topic.topic"],
    reason: "messages have ids of jobs, minutes of ticks and names of files: no count",
  },
  {
    check: "CKV_GCP_84",
    resources: ["google_artifact_registry_repository.functions"],
    reason: "images of functions hold published code and no secret",
  },
  {
    check: "CKV_GCP_114",
    resources: ["google_storage_bucket.console"],
    reason: "a load balancer reads the bucket of a page as everybody",
  },
  {
    check: "CKV_GCP_121",
    resources: ["headcounts", "view"].map((name) => `google_bigquery_table.${name}`),
    reason: "a deleted customer's table goes with the customer",
  },
  {
    check: "CKV_GCP_125",
    resources: ["google_iam_workload_identity_pool_provider.github"],
    reason:
      "the condition, which Checkov does not find behind a module's output, is on the repository's number, which a new repository of the same name has not; the member who applies is one environment's subject",
  },
];
