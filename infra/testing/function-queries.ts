import * as v from "valibot";
import type { Ready } from "../local/ready-file.ts";
import { operatorRequest } from "./fuzz/operator.ts";

const PAGE = 1000;
const SHOWN_MAX = 10;

const Listing = v.object({
  jobs: v.array(
    v.object({
      user_email: v.string(),
      configuration: v.object({
        // The service's own tables are made by jobs without a text.
        query: v.optional(v.object({ query: v.optional(v.string(), "") })),
        labels: v.optional(v.record(v.string(), v.string()), {}),
      }),
    }),
  ),
  nextPageToken: v.optional(v.string()),
});

/** A query as BigQuery lists it. */
interface FunctionQuery {
  /** The name of the function's service account, such as `fn-aggregation-run`. */
  readonly account: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly sql: string;
}

/** Returns the queries that the functions of a running service have started, from BigQuery's list of jobs. Tests have other accounts. */
export async function queriesOfFunctions(ready: Ready): Promise<readonly FunctionQuery[]> {
  const queries: FunctionQuery[] = [];
  let page: string | undefined = "";
  while (page !== undefined) {
    const query = new URLSearchParams({ allUsers: "true", projection: "full", maxResults: String(PAGE), ...(page && { pageToken: page }) });
    const url = `${ready.bigquery_endpoint}/bigquery/v2/projects/${ready.project}/jobs?${query}`;
    const { jobs, nextPageToken } = v.parse(Listing, await (await operatorRequest(ready, url)).json());
    for (const { user_email, configuration } of jobs) {
      const [account = ""] = user_email.split("@");
      if (account.startsWith("fn-") && configuration.query)
        queries.push({ account, labels: configuration.labels, sql: configuration.query.query });
    }
    page = nextPageToken;
  }
  return queries;
}

/** Throws if a function has started a query without the label that says which customer it is for. */
export async function requireCustomerLabels(ready: Ready): Promise<void> {
  const unlabelled = (await queriesOfFunctions(ready)).filter(({ labels }) => labels.customer === undefined);
  const lines = new Set(unlabelled.map(({ account, labels, sql }) => `${account} ${JSON.stringify(labels)}: ${sql.slice(0, 100)}`));
  if (lines.size > 0)
    throw new Error(`${unlabelled.length} queries have no label \`customer\`:\n${[...lines].slice(0, SHOWN_MAX).join("\n")}`);
}
