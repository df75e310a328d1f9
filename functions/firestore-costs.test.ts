import { Firestore } from "@google-cloud/firestore";
import * as v from "valibot";
import { afterAll, describe, expect, it } from "vitest";
import { startFirestoreMeter } from "../infra/testing/engines/firestore-meter.ts";
import { serveInProcess } from "../infra/testing/in-process.ts";
import { pathOf } from "../infra/testing/sample-request.ts";
import { call, newCustomer, ready } from "../infra/testing/service.ts";
import { sampleMembers } from "../scripts/bundle/testing/sample-requests.ts";
import type { Endpoint } from "../shared/http/define-endpoint.ts";
import { config } from "../shared/runtime/config.ts";
import { catalogue } from "./catalogue.ts";

const meter = await startFirestoreMeter(ready.firestore_host);
// Before this process opens its one client.
process.env.FIRESTORE_EMULATOR_HOST = meter.address;

const admin = { service: "warehouse", scopes: ["realtime"], machineAccountAdmin: true } as const;
const allow = { scopes: ["realtime"], profiles: ["storage", "warehouse"] } as const;
const Created = v.object({ id: v.optional(v.string()), job_id: v.optional(v.string()) });
const polygon = { name: "A map", type: "custom_polygon", geometry: "POLYGON((24.7 59.4, 24.71 59.4, 24.71 59.41, 24.7 59.4))" };
const window = { start_time: "2020-01-01", end_time: "2020-01-02" };
const job = { agg_type: "activities", measure: "stays_count", activity_type: "daily", geo_type: "grid_1000m", ...window };

/** Past the meter. */
const db = new Firestore({ projectId: ready.project, host: ready.firestore_host, ssl: false });

afterAll(() => Promise.all([meter.close(), db.terminate()]));

/** A separate customer for a test, so that its lists contain only what the test has created. */
interface Own {
  readonly uid: string;
  readonly key: string;
}

async function created(kind: "map" | "job", { key }: Own): Promise<string> {
  const isMap = kind === "map";
  const { body } = await call(isMap ? "users" : "data", "POST", isMap ? "/admin/maps" : "/data-agg", { key, body: isMap ? polygon : job });
  const { id, job_id } = v.parse(Created, body);
  return id ?? job_id ?? "";
}

interface Cost {
  readonly reads: number;
  readonly writes: number;
  readonly request?: (own: Own) => Promise<{ params?: Record<string, string>; query?: string; body?: object }>;
}
const ofMap = async (own: Own) => ({ params: { id: await created("map", own) } });
const ofJob = async (own: Own) => ({ params: { job_id: await created("job", own) } });
const ofExport = async (own: Own) => {
  const job_id = await created("job", own);
  const result = { meta: { suppressed_rows: 0, unknown_ids: [], k: 5 }, totalRows: 0, dataVersions: [], preview: null, files: [] };
  await db.collection("jobs").doc(job_id).update({ status: "completed", result });
  return { params: { job_id } };
};
const ofOtherLabel = async ({ uid, key }: Own) => {
  await call("users", "POST", `/users/${uid}/machine-accounts`, { key, body: { keyLabel: "other" } });
  return { params: { uid, keyLabel: "other" } };
};
const ofCustomer = async ({ uid }: Own) => ({ params: { uid } });

/** The most that an endpoint without a row of its own may cost: its key, and one document more. */
const SMALL = { reads: 2, writes: 0 };

/** The reads and writes of each endpoint, including its key, for a customer with only the data created for the request. */
const COSTS: Readonly<Record<string, Cost>> = {
  "auth-login": { reads: 2, writes: 0 },
  "machine-accounts-list": { reads: 2, writes: 0, request: ofCustomer },
  "machine-accounts-create": { reads: 4, writes: 3, request: async (own) => ({ ...(await ofCustomer(own)), body: { keyLabel: "other" } }) },
  "machine-accounts-change": {
    reads: 4,
    writes: 2,
    request: async ({ uid }) => ({ params: { uid, keyLabel: "admin" }, body: { scopes: [] } }),
  },
  // The customer's two labels and their keys.
  "machine-accounts-remove": { reads: 5, writes: 2, request: ofOtherLabel },
  "customers-request-dataset": { reads: 3, writes: 1, request: ofCustomer },
  "maps-show": { reads: 2, writes: 0, request: ofMap },
  "maps-list": { reads: 1, writes: 0 },
  "maps-list-monitored": { reads: 1, writes: 0 },
  "maps-create": { reads: 2, writes: 2, request: async () => ({ body: polygon }) },
  "maps-update": { reads: 4, writes: 2, request: async (own) => ({ ...(await ofMap(own)), body: { name: "Another" } }) },
  "maps-delete": { reads: 3, writes: 2, request: ofMap },
  "docs-openapi-users": { reads: 0, writes: 0 },
  "docs-openapi-data": { reads: 0, writes: 0 },
  "docs-page-users": { reads: 0, writes: 0 },
  "docs-page-data": { reads: 0, writes: 0 },
  "realtime-toggle": { reads: 8, writes: 4, request: async (own) => ({ body: { map_id: await created("map", own), enable: true } }) },
  "realtime-data": { reads: 2, writes: 0 },
  "realtime-history": {
    reads: 2,
    writes: 0,
    request: async (own) => ({ query: `?${new URLSearchParams({ map_id: await created("map", own), ...window })}` }),
  },
  "aggregation-preview": {
    reads: 1,
    writes: 0,
    request: async () => ({ query: `?${new URLSearchParams({ ...job, geo_ids: "784" })}` }),
  },
  "aggregation-submit": { reads: 2, writes: 2, request: async () => ({ body: job }) },
  "aggregation-status": { reads: 2, writes: 0, request: ofJob },
  "aggregation-results": { reads: 2, writes: 0, request: ofJob },
  "aggregation-urls": { reads: 2, writes: 0, request: ofExport },
  "aggregation-jobs": { reads: 2, writes: 0, request: ofJob },
  "aggregation-cancel": { reads: 4, writes: 2, request: ofJob },
  "aggregation-estimate": { reads: 1, writes: 0, request: async () => ({ body: job }) },
  "availability-list": { reads: 1, writes: 0 },
  "geographies-find": { reads: 1, writes: 0, request: async () => ({ query: "?geo_type=admin_level_2" }) },
};

describe.each(catalogue.map((endpoint) => [endpoint.name, endpoint] as const))("%s", (name, endpoint: Endpoint) => {
  it("reads and writes as many documents as it should", async () => {
    const cost = COSTS[name];
    // Jobs stay queued, so that nothing else processes them.
    const { uid, keys } = await newCustomer({ keys: { admin }, limits: { runningJobs: 0 }, allow });
    const own = { uid, key: keys.admin ?? "" };
    const { params = {}, query = "", body } = (cost ? await cost.request?.(own) : sampleMembers(endpoint, uid)) ?? {};
    const served = await serveInProcess({ endpoint, config: config() });
    // The first use of a key is recorded, which is not this endpoint's cost.
    await call("users", "GET", "/admin/maps", { key: own.key });
    meter.take();
    const answer = await served.call({ key: own.key, path: pathOf(endpoint, params) + query, ...(body ? { body } : {}) });
    const counted = meter.take();
    await served.close();
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    if (cost) expect(counted).toEqual({ reads: cost.reads, writes: cost.writes });
    else expect([counted.reads > SMALL.reads, counted.writes > SMALL.writes], `give ${name} a row of its own`).toEqual([false, false]);
  });
});

describe("a rejected request", () => {
  it.each([
    ["no key", undefined, 0],
    ["a malformed key", "x".repeat(64), 0],
    ["an unknown key", "0".repeat(64), 1],
  ])("of %s", async (_what, presented, reads) => {
    for (const endpoint of catalogue.filter(({ auth }) => auth !== "none")) {
      const served = await serveInProcess({ endpoint, config: config() });
      meter.take();
      expect(await served.call({ ...(presented ? { key: presented } : {}), path: pathOf(endpoint) })).toMatchObject({ status: 401 });
      expect(meter.take()).toEqual({ reads, writes: 0 });
      await served.close();
    }
  });
});
