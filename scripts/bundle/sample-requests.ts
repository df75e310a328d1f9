import { catalogue } from "../../functions/catalogue.ts";
import manifest from "../../infra/generated/functions.json" with { type: "json" };
import { pathOf, sampleOf } from "../../infra/testing/sample-request.ts";
import { type Endpoint, METHODS_WITH_BODY } from "../../shared/http/define-endpoint.ts";
import type { Schema } from "../../shared/http/schema.ts";
import { shapesOf } from "../../shared/http/unknown-fields.ts";

/** One request to a function. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** A valid aggregation request: endpoints reject a generated sample that only has the right shape. */
const AGGREGATION = {
  agg_type: "activities",
  measure: "sum_unique_people",
  activity_type: "hourly",
  geo_type: "admin_level_2",
  start_time: "2026-11-01",
  end_time: "2026-11-02",
};

/** A preview shows the geographies that it names. */
const PREVIEW = { ...AGGREGATION, geo_ids: "784" };

interface SampleMembers {
  readonly params: Record<string, string>;
  /** Starts with a question mark; empty if nothing is required. */
  readonly query: string;
  readonly body?: object;
}

/** Returns the members of a request that an endpoint can parse: all required ones, with arbitrary ids. */
export function sampleMembers({ method, query, body }: Endpoint, uid: string): SampleMembers {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(sample(query, PREVIEW) ?? {})) parameters.append(name, String(value));
  const search = parameters.size > 0 ? `?${parameters}` : "";
  const takesBody = METHODS_WITH_BODY.includes(method);
  return { params: { uid }, query: search, ...(takesBody ? { body: sample(body, AGGREGATION) ?? {} } : {}) };
}

/** Returns such a request of a customer. */
export function sampleRequest(endpoint: Endpoint, uid: string): Asked {
  const { params, query, body } = sampleMembers(endpoint, uid);
  return { method: endpoint.method, path: pathOf(endpoint, params) + query, ...(body ? { body } : {}) };
}

function sample(schema: Schema, aggregation: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> | undefined {
  const [shape] = shapesOf(schema);
  return shape && "agg_type" in shape && "start_time" in shape ? aggregation : shape && sampleOf(schema, shape);
}

/** A Pub/Sub push message about a job that does not exist. */
export const unknownJob: Asked = {
  method: "POST",
  path: "/",
  body: {
    subscription: "projects/demo-local/subscriptions/aggregations-run",
    message: {
      messageId: "1",
      publishTime: "2026-11-01T00:00:00Z",
      data: Buffer.from(JSON.stringify({ job_id: "00000000-0000-4000-8000-000000000000", attempt: 1, step: 1 })).toString("base64"),
    },
  },
};

export const scheduled: Asked = { method: "POST", path: "/" };

/** Returns a request for a function: a customer's for an endpoint, a message for a topic. For a function that is not of the project, `GET /`. */
export function requestOf(name: string, uid: string): Asked {
  const endpoint = catalogue.find((one) => one.name === name);
  if (endpoint) return sampleRequest(endpoint, uid);
  const trigger = manifest.find((entry) => entry.name === name)?.trigger;
  if (trigger === "topic") return unknownJob;
  return trigger === "schedule" ? scheduled : { method: "GET", path: "/" };
}
