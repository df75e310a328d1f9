import { Firestore } from "@google-cloud/firestore";
import { afterAll, describe, expect, it } from "vitest";
import { startFirestoreMeter } from "../infra/testing/engines/firestore-meter.ts";
import { serveInProcess } from "../infra/testing/in-process.ts";
import { pathOf } from "../infra/testing/sample-request.ts";
import { call, newCustomer, ready } from "../infra/testing/service.ts";
import { successfulRequest } from "../infra/testing/successful-requests.ts";
import type { Endpoint } from "../shared/http/define-endpoint.ts";
import { config } from "../shared/runtime/config.ts";
import { catalogue } from "./catalogue.ts";

const meter = await startFirestoreMeter(ready.firestore_host);
// Before this process opens its one client.
process.env.FIRESTORE_EMULATOR_HOST = meter.address;

const admin = { service: "warehouse", scopes: ["realtime"], machineAccountAdmin: true } as const;
const allow = { scopes: ["realtime"], profiles: ["storage", "warehouse"] } as const;
/** Past the meter. */
const db = new Firestore({ projectId: ready.project, host: ready.firestore_host, ssl: false });

afterAll(() => Promise.all([meter.close(), db.terminate()]));

interface Cost {
  readonly reads: number;
  readonly writes: number;
  /** In the database `usage`. Default: a process looks up the last use of a key that it sees for the first time, and then every five minutes. */
  readonly usage?: { readonly reads: number; readonly writes: number };
}

/** The most that an endpoint without a row of its own may cost: its key twice, and one document more. */
const SMALL = { reads: 3, writes: 0 };

/**
 * The reads and writes of each endpoint for a customer with only the data created for the request. Its key is read when the request begins,
 * again when its body is whole (only if it has one), and again in the transaction that writes, or else just before the answer.
 */
const COSTS: Readonly<Record<string, Cost>> = {
  // The customer's countries, too.
  "auth-login": { reads: 3, writes: 0 },
  // Those that tell the last use of one key read it.
  "machine-accounts-list": { reads: 3, writes: 0, usage: { reads: 2, writes: 0 } },
  "machine-accounts-create": { reads: 4, writes: 3 },
  "machine-accounts-change": { reads: 4, writes: 2, usage: { reads: 2, writes: 0 } },
  // The customer's two labels and their keys.
  "machine-accounts-remove": { reads: 5, writes: 2, usage: { reads: 1, writes: 1 } },
  // And the use of the key, and the bytes leased today.
  "customers-me": { reads: 3, writes: 0, usage: { reads: 2, writes: 0 } },
  "customers-request-dataset": { reads: 3, writes: 1 },
  "maps-show": { reads: 3, writes: 0 },
  "maps-list": { reads: 2, writes: 0 },
  "maps-list-monitored": { reads: 2, writes: 0 },
  "maps-check": { reads: 2, writes: 0 },
  "maps-create": { reads: 3, writes: 2 },
  "maps-update": { reads: 5, writes: 2 },
  "maps-delete": { reads: 4, writes: 2 },
  "docs-openapi-users": { reads: 0, writes: 0 },
  "docs-openapi-data": { reads: 0, writes: 0 },
  "docs-page-users": { reads: 0, writes: 0 },
  "docs-page-data": { reads: 0, writes: 0 },
  "realtime-toggle": { reads: 10, writes: 5 },
  "realtime-data": { reads: 3, writes: 0 },
  "realtime-history": { reads: 3, writes: 0 },
  "aggregation-preview": { reads: 2, writes: 0 },
  // The use of the key, and the bytes leased today.
  "aggregation-submit": { reads: 3, writes: 2, usage: { reads: 2, writes: 0 } },
  "aggregation-status": { reads: 3, writes: 0 },
  "aggregation-results": { reads: 3, writes: 0 },
  // And the customer, whose record says in which project its account is.
  "aggregation-urls": { reads: 4, writes: 0 },
  "aggregation-jobs": { reads: 3, writes: 0 },
  "aggregation-cancel": { reads: 5, writes: 2 },
  "aggregation-estimate": { reads: 2, writes: 0 },
  "availability-list": { reads: 2, writes: 0 },
  "geographies-find": { reads: 2, writes: 0 },
};

/** The endpoints that store nothing and query the warehouse. */
const QUERYING = new Set([
  "aggregation-estimate",
  "aggregation-preview",
  "aggregation-results",
  "availability-list",
  "geographies-find",
  "realtime-history",
]);

it("the first query of an instance leases bytes: it reads the customer and the day, and writes the day", async () => {
  const { keys } = await newCustomer({ keys: { admin } });
  const endpoint = catalogue.find(({ name }) => name === "availability-list");
  if (!endpoint) throw new Error("There is no availability-list");
  const served = await serveInProcess({ endpoint, config: config() });
  await call("users", "GET", "/admin/maps", { key: keys.admin ?? "" });
  const costs = [];
  for (let time = 1; time <= 2; time++) {
    meter.take();
    expect(await served.call({ key: keys.admin ?? "", path: pathOf(endpoint) })).toMatchObject({ status: 200 });
    costs.push(meter.take());
  }
  await served.close();
  expect(costs).toEqual([
    { reads: 3, writes: 0, usage: { reads: 2, writes: 1 } },
    { reads: 2, writes: 0, usage: { reads: 0, writes: 0 } },
  ]);
});

describe.each(catalogue.map((endpoint) => [endpoint.name, endpoint] as const))("%s", (name, endpoint: Endpoint) => {
  it("reads and writes as many documents as it should", async () => {
    const cost = COSTS[name];
    // Jobs stay queued, so that nothing else processes them.
    const { uid, keys } = await newCustomer({ keys: { admin }, limits: { runningJobs: 0 }, allow });
    const own = { uid, key: keys.admin ?? "", db, call };
    const { params, query, body } = await successfulRequest(endpoint, own);
    const served = await serveInProcess({ endpoint, config: config() });
    const request = { key: own.key, path: pathOf(endpoint, params) + query, ...(body ? { body } : {}) };
    // The first query of an instance leases bytes, which suffice for some time.
    if (QUERYING.has(name)) await served.call(request);
    // The first use of a key is recorded, which is not this endpoint's cost.
    await call("users", "GET", "/admin/maps", { key: own.key });
    meter.take();
    const answer = await served.call(request);
    const counted = meter.take();
    await served.close();
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    const isFirstUse = endpoint.auth !== "none" && !QUERYING.has(name);
    const usage = cost?.usage ?? { reads: isFirstUse ? 1 : 0, writes: 0 };
    expect(counted.usage).toEqual(usage);
    if (cost) expect(counted).toEqual({ reads: cost.reads, writes: cost.writes, usage });
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
      expect(meter.take()).toEqual({ reads, writes: 0, usage: { reads: 0, writes: 0 } });
      await served.close();
    }
  });
});
