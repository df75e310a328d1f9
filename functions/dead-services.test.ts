import { Firestore } from "@google-cloud/firestore";
import * as v from "valibot";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type DeadAddress, startDeadAddress } from "../infra/testing/engines/dead-address.ts";
import { serveInProcess } from "../infra/testing/in-process.ts";
import { pathOf } from "../infra/testing/sample-request.ts";
import { call, newCustomer, ready } from "../infra/testing/service.ts";
import { type Config, parseConfig } from "../shared/runtime/config.ts";
import { catalogue } from "./catalogue.ts";

const Created = v.object({ id: v.optional(v.string()), job_id: v.optional(v.string()) });
const admin = { service: "warehouse", scopes: ["realtime"], machineAccountAdmin: true } as const;
const polygon = { name: "A map", type: "custom_polygon", geometry: "POLYGON((24.7 59.4, 24.71 59.4, 24.71 59.41, 24.7 59.4))" };
const window = { start_time: "2020-01-01", end_time: "2020-01-02" };
const job = { agg_type: "activities", measure: "stays_count", activity_type: "daily", geo_type: "grid_1000m", ...window };
const flow = { agg_type: "flow", lat: 59.437, lon: 24.7454, ...window };

interface Own {
  readonly uid: string;
  readonly key: string;
}
interface Ask {
  readonly params?: Record<string, string>;
  readonly query?: string;
  readonly body?: object;
}
type Case = readonly [what: string, name: string, status: number, make: (own: Own) => Ask | Promise<Ask>];

/** The status of each endpoint when only Firestore responds. Requests are prepared while all services work. */
const CASES: readonly Case[] = [
  ["a login", "auth-login", 503, () => ({})],
  ["a polygon", "maps-create", 201, () => ({ body: polygon })],
  ["a list of geographies", "maps-create", 503, () => ({ body: { name: "A map", type: "admin_level_2", ids: [784] } })],
  ["a change of a monitored map", "maps-update", 200, async (own) => ({ params: { id: await monitored(own) }, body: { name: "Another" } })],
  ["the end of a monitored map", "maps-delete", 200, async (own) => ({ params: { id: await monitored(own) } })],
  [
    "a map that is monitored from now on",
    "realtime-toggle",
    200,
    async (own) => ({ body: { map_id: await created("users", "/admin/maps", polygon, own), enable: true } }),
  ],
  ["a toggle", "realtime-toggle", 200, async (own) => ({ body: { map_id: await monitored(own), enable: false } })],
  ["headcounts", "realtime-data", 200, () => ({})],
  [
    "past headcounts",
    "realtime-history",
    503,
    async (own) => ({ query: `?${new URLSearchParams({ map_id: await monitored(own), ...window })}` }),
  ],
  ["a preview", "aggregation-preview", 503, () => ({ query: `?${new URLSearchParams({ ...job, geo_ids: "784" })}` })],
  ["a job", "aggregation-submit", 202, () => ({ body: job })],
  ["a job that needs a road link", "aggregation-submit", 503, () => ({ body: flow })],
  ["the status of a job", "aggregation-status", 200, async (own) => ({ params: { job_id: await running(own) } })],
  ["the end of an export", "aggregation-cancel", 200, async (own) => ({ params: { job_id: await running(own) } })],
  ["the URLs of an export", "aggregation-urls", 503, async (own) => ({ params: { job_id: await completed(own) } })],
  ["an estimate", "aggregation-estimate", 503, () => ({ body: job })],
  ["data availability", "availability-list", 503, () => ({})],
  ["a search for geographies", "geographies-find", 503, () => ({ query: "?geo_type=admin_level_2" })],
];

/** Timeouts of endpoints that do not need the dead services (a third of it is the wait for them), and of those that do. */
const MS_MAX = { answered: 9_000, unavailable: 50 };

const db = new Firestore({ projectId: ready.project });
let dead: DeadAddress;
let config: Config;

beforeAll(async () => {
  dead = await startDeadAddress();
  const url = `http://${dead.address}`;
  const addresses = { BIGQUERY_URL: url, STORAGE_URL: url, TASKS_ADDRESS: dead.address, IAM_CREDENTIALS_ADDRESS: dead.address };
  config = parseConfig({ ...process.env, ...addresses });
});

afterAll(async () => {
  await Promise.all([dead.close(), db.terminate()]);
});

async function created(api: "users" | "data", path: string, body: object, { key }: Own): Promise<string> {
  const answer = await call(api, "POST", path, { key, body });
  const { id, job_id } = v.parse(Created, answer.body);
  return id ?? job_id ?? "";
}

async function monitored(own: Own): Promise<string> {
  const id = await created("users", "/admin/maps", polygon, own);
  await call("data", "POST", "/admin/realtime", { key: own.key, body: { map_id: id, enable: true } });
  return id;
}

/** An export that is running and stays so, since it is never delivered. */
async function running(own: Own): Promise<string> {
  const customer = db.collection("customers").doc(own.uid);
  await customer.update({ "limits.runningJobs": 0 });
  const id = await created("data", "/data-agg", { ...job, full: true }, own);
  await db.collection("jobs").doc(id).update({ placed: true, status: "running", dispatch: false, startedAt: new Date() });
  await customer.update({ running: 1, waiting: 0 });
  return id;
}

/** An export that is completed and has one file. */
async function completed(own: Own): Promise<string> {
  const id = await running(own);
  const result = { meta: { suppressed_rows: null, unknown_ids: [], k: 5, step: 20 }, totalRows: 1, dataVersions: [], preview: null };
  const files = [{ name: "part-1-000000000000.csv.gz", size: 1, crc32c: "AAAAAA==" }];
  await db
    .collection("jobs")
    .doc(id)
    .update({ status: "completed", result: { ...result, files } });
  return id;
}

async function answers(what: string, name: string, status: number, make: Case[3]): Promise<void> {
  const endpoint = catalogue.find((one) => one.name === name);
  if (!endpoint) throw new Error(`There is no ${name}`);
  const { uid, keys } = await newCustomer({ keys: { admin } });
  const own = { uid, key: keys.admin ?? "" };
  const { params = {}, query = "", body } = await make(own);
  const requestMsMax = status === 503 ? MS_MAX.unavailable : MS_MAX.answered;
  const served = await serveInProcess({ endpoint, config, requestMsMax });
  const answer = await served.call({ key: own.key, path: pathOf(endpoint, params) + query, ...(body ? { body } : {}) });
  await served.close();
  expect(answer.status, `${what}: ${JSON.stringify(answer.body)}`).toBe(status);
  if (status === 503) expect(answer.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
}

describe("while BigQuery, Storage, Tasks and IAM accept connections but do not respond", () => {
  it.concurrent.each(CASES)("%s (%s) is answered %i", answers);
});

describe("while BigQuery, Storage, Tasks and IAM refuse connections", () => {
  beforeAll(() => dead.refuse());

  it.concurrent.each(CASES)("%s (%s) is answered %i", answers);
});
