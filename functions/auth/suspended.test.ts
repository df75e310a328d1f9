import { Firestore } from "@google-cloud/firestore";
import { afterAll, describe, expect, it } from "vitest";
import { functionsConfig } from "../../infra/local/functions-environment.ts";
import { call, keyOf, newCustomer, ready } from "../../infra/testing/service.ts";
import { setCustomerStatus } from "../../shared/accounts/customer-lifecycle.ts";
import { createKey } from "../../shared/accounts/machine-accounts.ts";
import { catalogue } from "../catalogue.ts";

const db = new Firestore({ projectId: ready.project });
const customer = await newCustomer();
const other = await newCustomer();
const withKey = catalogue.filter((endpoint) => endpoint.auth !== "none");
const REFUSED = { status: 403, body: { code: "permission_denied", detail: "This customer is suspended; contact support" } };

function login(key: string) {
  return call("users", "POST", "/login-with-apikey", { key });
}

afterAll(() => db.terminate());

describe("a suspended customer", () => {
  it("is denied everywhere with each of its keys, and no other customer is", async () => {
    await setCustomerStatus(db, customer.uid, "suspended");
    for (const { api, method, path } of withKey)
      expect(await call(api, method, path.replaceAll(/[{}]/g, ""), { key: keyOf(customer) }), path).toMatchObject(REFUSED);
    expect(await login(keyOf(customer, "warehouse"))).toMatchObject(REFUSED);
    expect(await login(keyOf(other))).toMatchObject({ status: 200 });
  });

  it("is denied with a key created after the suspension", async () => {
    const { environment } = functionsConfig(ready.project);
    const grants = { service: "storage", scopes: [], countries: ["EST"], machineAccountAdmin: false } as const;
    const making = { uid: customer.uid, keyLabel: "late", environment, now: new Date(), decide: () => grants };
    expect(await login((await createKey(db, making)).apiKey)).toMatchObject(REFUSED);
  });

  it("is served again once active", async () => {
    await setCustomerStatus(db, customer.uid, "active");
    for (const name of ["storage", "warehouse"]) expect(await login(keyOf(customer, name))).toMatchObject({ status: 200 });
  });

  it("must exist", async () => {
    await expect(setCustomerStatus(db, "nobody123", "suspended")).rejects.toThrow(/nobody123/);
  });
});
