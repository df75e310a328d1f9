import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startDeadAddress } from "../infra/testing/engines/dead-address.ts";
import { serveInProcess } from "../infra/testing/in-process.ts";
import { pathOf } from "../infra/testing/sample-request.ts";
import { newCustomer } from "../infra/testing/service.ts";
import { sampleMembers } from "../scripts/bundle/sample-requests.ts";
import { functionNeeds, openers } from "../scripts/terraform/function-needs.ts";
import type { ApiKey } from "../shared/accounts/api-keys.ts";
import { config } from "../shared/runtime/config.ts";
import { catalogue } from "./catalogue.ts";

const KEY = "a".repeat(64);
const customer = await newCustomer();
const dead = await startDeadAddress();
// Before this process opens its one client.
process.env.FIRESTORE_EMULATOR_HOST = dead.address;

afterAll(() => dead.close());

/** A key that was read just before Firestore failed; its use is not yet recorded. */
const found: ApiKey = {
  ...{ uid: customer.uid, keyLabel: "main", service: "warehouse", scopes: ["realtime"], machineAccountAdmin: true },
  ...{ countries: ["EST"], defaultCountry: "EST" },
};
const window = { start_time: "2020-01-01", end_time: "2020-01-02" };
const job = { agg_type: "activities", measure: "stays_count", activity_type: "daily", geo_type: "admin_level_2", ...window };

/** The requests that need parameters or a body. Ids in them are arbitrary: only a read could reject them. */
const REQUESTS: Readonly<Record<string, { readonly params?: Record<string, string>; readonly query?: string; readonly body?: object }>> = {
  "machine-accounts-list": { params: { uid: customer.uid } },
  "machine-accounts-create": { params: { uid: customer.uid }, body: { keyLabel: "other" } },
  "machine-accounts-change": { params: { uid: customer.uid, keyLabel: "other" }, body: { scopes: [] } },
  "machine-accounts-remove": { params: { uid: customer.uid, keyLabel: "other" } },
  "customers-request-dataset": { params: { uid: customer.uid } },
  "customers-show-dataset": { params: { uid: customer.uid } },
  "maps-check": { body: { type: "admin_level_2", ids: [784], country_code: "EST" } },
  "maps-create": {
    body: { name: "A map", type: "custom_polygon", geometry: "POLYGON((24.7 59.4, 24.71 59.4, 24.71 59.41, 24.7 59.4))" },
  },
  "maps-update": { body: { name: "Another" } },
  "realtime-toggle": { body: { map_id: "00000000000000000000", enable: true } },
  "aggregation-preview": { query: `?${new URLSearchParams({ ...job, geo_ids: "784" })}` },
  "aggregation-submit": { body: job },
  "aggregation-estimate": { body: job },
  "geographies-find": { query: "?geo_type=admin_level_2&limit=1" },
};
/** The stores that an endpoint with a key opens to know its caller. */
const OF_CALLERS = ["openKeyFinder", "openUsageRecorder"];
const ROOT = fileURLToPath(new URL("..", import.meta.url));
const opened = openers(ROOT);
const needs = await functionNeeds(ROOT);

/** Whether an endpoint knows the caller and needs Firestore for nothing else: its code opens no other store. */
function isWithoutFirestore(name: string): boolean {
  return [...(needs.get(name)?.opens ?? [])].every((opener) => opened.get(opener) === "client" || OF_CALLERS.includes(opener));
}

/** Timeouts of endpoints that do not need Firestore (a third of it is the wait for recording the key's use), and of those that do. */
const MS_MAX = { answered: 9_000, unavailable: 50 };

const withKey = catalogue.filter(({ auth }) => auth !== "none").map((endpoint) => [endpoint.name, endpoint] as const);

describe.each(["silent", "refusing"])("while Firestore is %s, after the key was read", (state) => {
  beforeAll(() => (state === "refusing" ? dead.refuse() : undefined));

  it.concurrent.each(withKey)("%s responds without Firestore if it can, else with 503", async (name, endpoint) => {
    const { params = {}, query = "", body } = REQUESTS[name] ?? sampleMembers(endpoint, customer.uid);
    const isAnswered = isWithoutFirestore(name);
    const requestMsMax = isAnswered ? MS_MAX.answered : MS_MAX.unavailable;
    const served = await serveInProcess({ endpoint, config: config(), findKey: async () => found, requestMsMax });
    const answer = await served.call({ key: KEY, path: pathOf(endpoint, params) + query, ...(body ? { body } : {}) });
    await served.close();
    expect(answer.status, JSON.stringify(answer.body)).toBe(isAnswered ? 200 : 503);
    if (answer.status === 503) expect(answer.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
  });
});
