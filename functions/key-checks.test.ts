import { Firestore } from "@google-cloud/firestore";
import { afterAll, describe, expect, it } from "vitest";
import { functionsConfig } from "../infra/local/functions-environment.ts";
import { differences, openStored } from "../infra/testing/fuzz/stored.ts";
import { serveInProcess } from "../infra/testing/in-process.ts";
import { pathOf } from "../infra/testing/sample-request.ts";
import { call, newCustomer, ready } from "../infra/testing/service.ts";
import { successfulRequest } from "../infra/testing/successful-requests.ts";
import { keyHash } from "../shared/accounts/api-key.ts";
import { openKeyFinder } from "../shared/accounts/api-keys.ts";
import { setCustomerStatus } from "../shared/accounts/customer-lifecycle.ts";
import { changeGrants, revokeKey } from "../shared/accounts/keys-admin.ts";
import { createKey } from "../shared/accounts/machine-accounts.ts";
import type { Endpoint } from "../shared/http/define-endpoint.ts";
import { config } from "../shared/runtime/config.ts";
import submit from "./aggregation/submit.ts";
import { catalogue } from "./catalogue.ts";

const db = new Firestore({ projectId: ready.project });
const stored = openStored({ ready, config: config() });
const { environment } = functionsConfig(ready.project);
const ALL = { service: "warehouse", scopes: ["realtime"], countries: ["EST", "LAT"], machineAccountAdmin: true } as const;
const ALLOW = { scopes: ["realtime"], profiles: ["storage", "warehouse"] } as const;
const LABEL = "admin";

afterAll(() => Promise.all([db.terminate(), stored.close()]));

/** What may happen to a key while a request of it runs, and the answer that the request then gets. */
const CHANGES: readonly (readonly [what: string, change: (uid: string) => Promise<unknown>, answer: object])[] = [
  [
    "its key is revoked",
    (uid) => revokeKey(db, { uid, keyLabel: LABEL, lastAdminMayGo: true, now: new Date() }),
    { status: 401, body: { code: "unauthenticated" } },
  ],
  [
    "its customer is suspended",
    (uid) => setCustomerStatus(db, uid, "suspended"),
    { status: 403, body: { code: "permission_denied", detail: "This customer is suspended; contact support" } },
  ],
  [
    "its key loses a country",
    (uid) =>
      changeGrants(db, { uid, keyLabel: LABEL, lastAdminMayGo: true, now: new Date() }, (present) => ({ ...present, countries: ["EST"] })),
    { status: 403, body: { detail: "This key lost LAT during the request; send the request again if it does not need that" } },
  ],
  [
    "its key loses the warehouse profile",
    (uid) =>
      changeGrants(db, { uid, keyLabel: LABEL, lastAdminMayGo: true, now: new Date() }, (present) => ({ ...present, service: "storage" })),
    { status: 403, body: { code: "permission_denied", detail: expect.stringContaining("lost the warehouse profile") } },
  ],
  [
    "its key loses its scopes and its admin access",
    (uid) =>
      changeGrants(db, { uid, keyLabel: LABEL, lastAdminMayGo: true, now: new Date() }, (present) => ({
        ...present,
        scopes: [],
        machineAccountAdmin: false,
      })),
    { status: 403, body: { code: "permission_denied" } },
  ],
];

/** Sends the same request of one customer again and again. `send` answers key lookups from what they found before, `stale` times. */
async function repeated(endpoint: Endpoint) {
  const { uid } = await newCustomer({ keys: {}, countries: ["EST", "LAT"], limits: { runningJobs: 0 }, allow: ALLOW });
  const newKey = async () => (await createKey(db, { uid, keyLabel: LABEL, environment, now: new Date(), decide: () => ALL })).apiKey;
  const { params, query, body } = await successfulRequest(endpoint, { uid, key: await newKey(), db, call });
  const find = openKeyFinder(config());
  const send = async (change: (uid: string) => Promise<unknown>) => {
    await setCustomerStatus(db, uid, "active");
    const key = await newKey();
    let before: ReturnType<typeof find> | undefined;
    let stale = endpoint.checksKey === undefined ? 1 : Number.POSITIVE_INFINITY;
    const findKey: typeof find = async (hash) => {
      if (!before) {
        before = find(hash);
        await before;
        await change(uid);
      }
      stale -= 1;
      return stale < 0 ? find(hash) : before;
    };
    const served = await serveInProcess({ endpoint, config: config(), findKey });
    try {
      return await served.call({ key, path: pathOf(endpoint, params) + query, ...(body ? { body } : {}) });
    } finally {
      await served.close();
    }
  };
  return { uid, send };
}

const withKey = catalogue.filter(({ auth }) => auth !== "none");

describe.each(withKey.map((endpoint) => [endpoint.name, endpoint] as const))("%s", (_name, endpoint) => {
  it("grants, writes and answers nothing after a change of its key that its lookups did not see", async () => {
    const { uid, send } = await repeated(endpoint);
    for (const [what, change, answer] of CHANGES) {
      let before: Awaited<ReturnType<typeof stored.dump>> = new Map();
      const changed = async () => {
        await change(uid);
        before = await stored.dump(uid);
      };
      expect(await send(changed), what).toMatchObject(answer);
      expect(differences(before, await stored.dump(uid)), what).toEqual([]);
    }
    // The same request is accepted as long as nothing happens to its key.
    const accepted = await send(async () => undefined);
    expect(accepted.status, JSON.stringify(accepted.body)).toBeLessThan(300);
  });
});

/** A job whose submission looks up a road first: a repeated one is found before that, without a transaction. */
const FLOW = {
  agg_type: "flow",
  lat: 59.437,
  lon: 24.7536,
  start_time: "2020-01-01",
  end_time: "2020-01-02",
};

it("a submission that was made before is not answered again after its key's revocation", async () => {
  const { uid, keys } = await newCustomer({ keys: { [LABEL]: ALL }, limits: { runningJobs: 0 } });
  const key = keys[LABEL] ?? "";
  const find = openKeyFinder(config());
  const found = find(keyHash(environment, key));
  let stale = Number.POSITIVE_INFINITY;
  const findKey: typeof find = (hash) => (stale-- > 0 ? found : find(hash));
  const served = await serveInProcess({ endpoint: submit, config: config(), findKey });
  const send = () => served.call({ key, body: FLOW, headers: { "idempotency-key": "once" } });
  const accepted = await send();
  expect(accepted, JSON.stringify(accepted.body)).toMatchObject({ status: 202 });
  expect((await send()).body).toEqual(accepted.body);
  await revokeKey(db, { uid, keyLabel: LABEL, lastAdminMayGo: true, now: new Date() });
  stale = 1;
  expect(await send()).toMatchObject({ status: 401 });
  await served.close();
});

it("every endpoint that writes checks its key in its transaction", () => {
  const READS = ["auth-login", "aggregation-urls", "aggregation-estimate", "maps-check"];
  const unchecked = withKey.filter(({ method, checksKey }) => method !== "GET" && checksKey !== "in its transaction");
  expect(unchecked.map(({ name }) => name).sort()).toEqual(READS.sort());
});
