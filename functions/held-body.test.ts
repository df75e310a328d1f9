import { Firestore } from "@google-cloud/firestore";
import { afterAll, describe, expect, it } from "vitest";
import { functionsConfig } from "../infra/local/functions-environment.ts";
import { holdRequest } from "../infra/testing/held-request.ts";
import { serveInProcess } from "../infra/testing/in-process.ts";
import { pathOf } from "../infra/testing/sample-request.ts";
import { newCustomer, ready } from "../infra/testing/service.ts";
import { openKeyFinder } from "../shared/accounts/api-keys.ts";
import { setCustomerStatus } from "../shared/accounts/customer-lifecycle.ts";
import { changeGrants, revokeKey } from "../shared/accounts/keys-admin.ts";
import { createKey } from "../shared/accounts/machine-accounts.ts";
import { config } from "../shared/runtime/config.ts";
import login from "./auth/login.ts";
import { catalogue } from "./catalogue.ts";

const db = new Firestore({ projectId: ready.project });
const { environment } = functionsConfig(ready.project);
const customer = await newCustomer();
const { uid } = customer;
const ALL = { service: "warehouse", scopes: ["realtime"], countries: ["EST", "LAT", "NOR"], machineAccountAdmin: true } as const;

afterAll(() => db.terminate());

/** Parks a request until its key was found, does something to the key, and then sends the body. Returns the response. */
async function parked(endpoint: (typeof catalogue)[number], meanwhile: (keyLabel: string) => Promise<unknown>, body = "{}") {
  const keyLabel = "parked";
  const { apiKey } = await createKey(db, { uid, keyLabel, environment, now: new Date(), decide: () => ALL });
  const find = openKeyFinder(config());
  const { promise: admitted, resolve } = Promise.withResolvers<void>();
  const served = await serveInProcess({ endpoint, config: config(), findKey: (hash) => find(hash).finally(resolve) });
  const held = holdRequest({ port: served.port, method: endpoint.method, path: pathOf(endpoint, { uid }), key: apiKey });
  await admitted;
  await meanwhile(keyLabel);
  held.end(body);
  const answer = await held.answer;
  await served.close();
  return answer;
}

const revoke = (keyLabel: string) => revokeKey(db, { uid, keyLabel, lastAdminMayGo: true, now: new Date() });
const withKey = catalogue.filter(({ auth }) => auth !== "none");

describe("a request that was admitted and whose body comes after its key's revocation", () => {
  it("gets no token", async () => {
    expect(await parked(login, revoke)).toMatchObject({ status: 401, body: { code: "unauthenticated" } });
  });

  it("is a 401 at every endpoint, also with an empty body and where a body is unusual", async () => {
    for (const endpoint of withKey)
      for (const body of ["{}", ""]) expect((await parked(endpoint, revoke, body)).status, endpoint.name).toBe(401);
  });

  it("is a 403 after a suspension, and works again after it", async () => {
    const suspend = () => setCustomerStatus(db, uid, "suspended");
    expect(await parked(login, suspend)).toMatchObject({ status: 403, body: { code: "permission_denied" } });
    expect(await parked(login, () => setCustomerStatus(db, uid, "active"))).toMatchObject({ status: 403 });
    expect(await parked(login, async () => undefined)).toMatchObject({ status: 200 });
  });

  it("has the grants that its key has when the body is whole", async () => {
    const lessen = (keyLabel: string) =>
      changeGrants(db, { uid, keyLabel, lastAdminMayGo: true, now: new Date() }, (present) => ({ ...present, service: "storage" }));
    expect(await parked(login, lessen, '{"service":"warehouse"}')).toMatchObject({ status: 403, body: { code: "permission_denied" } });
    expect(await parked(login, lessen, '{"service":"storage"}')).toMatchObject({ status: 200 });
  });
});
