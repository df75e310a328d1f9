import type { Instances } from "./instances.ts";
import { asFields, asList, textOf } from "./language/value.ts";
import type { Instance } from "./plan.ts";
import { countsOf, readUrlMap } from "./url-map.ts";

const SOURCES = {
  iam: "https://docs.cloud.google.com/iam/quotas",
  urlMaps: "https://docs.cloud.google.com/load-balancing/docs/quotas#url_maps",
  run: "https://docs.cloud.google.com/run/quotas",
  bigquery: "https://docs.cloud.google.com/bigquery/quotas",
} as const;

/** A quota or limit of Google's, and how to count a plan's usage of it. */
interface Quota {
  readonly what: string;
  readonly limit: number;
  /** Quotas can be raised on request, limits cannot. */
  readonly isRaisable: boolean;
  readonly source: keyof typeof SOURCES;
  readonly count: (instances: Instances) => number;
  /** What to raise or split, and when. */
  readonly advice: string;
}

/** Counts everything in one project, the worst case: with a delivery project, customers' accounts and members count there. */
export const QUOTAS: readonly Quota[] = [
  {
    what: "service accounts of a project",
    limit: 100,
    isRaisable: true,
    source: "iam",
    count: (instances) => instances.of("google_service_account").length,
    advice: "two per customer: have Service Account Count raised first, or use delivery projects, one per 50 customers",
  },
  {
    what: "members of the project's policy",
    limit: 1500,
    isRaisable: false,
    source: "iam",
    count: (instances) => members(instances.of("google_project_iam_member")) + exemptions(instances.of("google_project_iam_audit_config")),
    advice:
      "four audit exemptions per function, one member per customer with scenario B: from 1,400 on, use a group or another delivery project",
  },
  {
    what: "members of a dataset's or a bucket's own policy, at most",
    limit: 1500,
    isRaisable: false,
    source: "iam",
    count: (instances) =>
      most(
        instances.all.filter(({ type }) => /^google_(bigquery_table|storage_bucket)_iam_member$/.test(type)),
        ["table_id", "dataset_id", "bucket"],
      ),
    advice: "grows with functions, not with customers",
  },
  ...(["users", "data"] as const).flatMap((api): Quota[] => [
    {
      what: `route rules of the ${api} API, by their conditions (paths and methods)`,
      limit: 1000,
      isRaisable: false,
      source: "urlMaps",
      count: (instances) => pathMatcher(instances, api).predicates,
      advice: "grows with endpoints, not with customers; then add another host with its own path matcher",
    },
    {
      what: `path templates of the ${api} API`,
      limit: 100,
      isRaisable: false,
      source: "urlMaps",
      count: (instances) => pathMatcher(instances, api).templates,
      advice: "as route rules",
    },
  ]),
  {
    what: "backend services of a URL map",
    limit: 2500,
    isRaisable: false,
    source: "urlMaps",
    count: (instances) => instances.of("google_compute_backend_service").length,
    advice: "one per endpoint",
  },
  {
    what: "Cloud Run services of a region",
    limit: 1000,
    isRaisable: true,
    source: "run",
    count: (instances) => instances.of("google_cloudfunctions2_function").length,
    advice: "one per function",
  },
  {
    what: "views that one dataset authorises, at most",
    limit: 2500,
    isRaisable: false,
    source: "bigquery",
    count: (instances) =>
      most(
        instances.of("google_bigquery_dataset_access").filter(({ arguments: { view } }) => view !== undefined),
        ["dataset_id"],
      ),
    advice: "one per customer with scenario A or B; then shard the datasets of headcounts by uid",
  },
  {
    what: "listings of the exchange",
    limit: 1000,
    isRaisable: false,
    source: "bigquery",
    count: (instances) => instances.of("google_bigquery_analytics_hub_listing").length,
    advice: "one per customer with scenario A; then add a second exchange (a project has up to 500)",
  },
];

/** The numbers of customers to count the quotas for. */
export const CUSTOMERS = [10, 100, 1000] as const;

/**
 * Returns the quotas as a Markdown table, with the usage for each number of customers.
 * @param counted the resources of an environment and its customers together, by number of customers
 */
export function quotasDocument(counted: ReadonlyMap<number, Instances>): string {
  const sizes = [...counted.keys()];
  const rows = QUOTAS.map((quota) => {
    const counts = [...counted.values()].map((instances) => thousands(quota.count(instances)));
    return [
      quota.what,
      `${thousands(quota.limit)}${quota.isRaisable ? ", raised on request" : ""}`,
      ...counts,
      quota.advice,
      `[${quota.source}](${SOURCES[quota.source]})`,
    ];
  });
  const head = ["what", "limit", ...sizes.map((size) => `${thousands(size)} customers`), "what to raise or split when", "source"];
  return [
    "# Google's quotas",
    "",
    "Written by `npm run generate`, which counts the resources of `terraform/environments/prod` and `terraform/customers`. Every customer has",
    "scenarios A, B and C, and all are in one project, the worst case: with a delivery project, what grows with customers counts there.",
    "",
    ...[head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`),
    "",
  ].join("\n");
}

function thousands(count: number): string {
  return count.toLocaleString("en");
}

function pathMatcher(instances: Instances, api: string): ReturnType<typeof countsOf> {
  const maps = instances.of("google_compute_url_map").filter(({ arguments: { path_matcher } }) => path_matcher !== undefined);
  const matcher = maps.flatMap((map) => readUrlMap(map).path_matcher).find(({ name }) => name === api);
  if (!matcher) throw new Error(`No path matcher of a URL map is named ${api}`);
  return countsOf(matcher);
}

/** Counts the members of one policy. A member counts once per distinct role. */
function members(grants: readonly Instance[]): number {
  return new Set(grants.map(({ arguments: { role = null, member = null } }) => `${textOf(role)} ${textOf(member)}`)).size;
}

/** Counts the members exempted from audits, once per service and kind of entry. */
function exemptions(configs: readonly Instance[]): number {
  const kinds = configs.flatMap(({ arguments: { audit_log_config = [] } }) => asList(audit_log_config));
  return kinds.reduce<number>((sum, kind) => sum + asList(asFields(kind).exempted_members ?? []).length, 0);
}

/** Returns the largest number of resources with the same values of these arguments. */
function most(instances: readonly Instance[], names: readonly string[]): number {
  const counts = new Map<string, number>();
  for (const { arguments: fields } of instances) {
    const key = names.map((name) => textOf(fields[name] ?? null)).join(" ");
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return Math.max(0, ...counts.values());
}
