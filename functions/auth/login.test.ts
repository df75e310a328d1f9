import { Firestore } from "@google-cloud/firestore";
import * as v from "valibot";
import { afterAll, describe, expect, it } from "vitest";
import { call, keyOf, newCustomer, ready } from "../../infra/testing/service.ts";
import { keyHash } from "../../shared/accounts/api-key.ts";
import { LoginResponse } from "../../shared/accounts/login-schemas.ts";
import { config } from "../../shared/runtime/config.ts";

const customer = await newCustomer();
const GRANTS = { service: "warehouse", scopes: ["realtime"], machineAccountAdmin: false } as const;
const db = new Firestore({ projectId: ready.project });

afterAll(() => db.terminate());

async function update(key: string, grants: { readonly countries: readonly string[] }): Promise<void> {
  await db.doc(`apiKeys/${keyHash(config().environment, key)}`).update({ ...grants });
}

describe("a login", () => {
  it("returns a storage token without a body", async () => {
    expect(await call("users", "POST", "/login-with-apikey", { key: keyOf(customer) })).toMatchObject({
      status: 200,
      body: { userId: customer.uid },
    });
    expect(await call("users", "POST", "/login-with-apikey", { key: keyOf(customer), body: {} })).toMatchObject({ status: 200 });
  });

  it("with a storage key never returns a warehouse token", async () => {
    expect(await call("users", "POST", "/login-with-apikey", { key: keyOf(customer), body: { service: "warehouse" } })).toMatchObject({
      status: 403,
      body: { code: "permission_denied" },
    });
  });

  it("with a warehouse key returns either, and a warehouse token does not open the export folder", async () => {
    const key = keyOf(customer, "warehouse");
    expect(await call("users", "POST", "/login-with-apikey", { key, body: { service: "storage" } })).toMatchObject({ status: 200 });
    const { accessToken } = v.parse(
      LoginResponse,
      (await call("users", "POST", "/login-with-apikey", { key, body: { service: "warehouse" } })).body,
    );
    const folder = `${ready.storage_endpoint}/storage/v1/b/${ready.export_bucket}/o?prefix=${encodeURIComponent(`results/${customer.uid}/`)}`;
    expect((await fetch(folder, { headers: { authorization: `Bearer ${accessToken}` } })).status).toBe(403);
  });

  it.each([
    ["storage", "sign URLs instead, with POST /data-agg/results/{job_id}/urls"],
    ["warehouse", "read GET /admin/realtime/data instead"],
  ])("with a key that lacks a country of its customer returns no %s token, and says what to do", async (service, instead) => {
    const limited = keyOf(await newCustomer({ keys: { limited: GRANTS } }), "limited");
    await update(limited, { countries: ["EST", "NOR"] });
    const reads = `a ${service} token reads the data of all the customer's countries, and this key does not cover LAT`;
    expect(await call("users", "POST", "/login-with-apikey", { key: limited, body: { service } })).toMatchObject({
      status: 403,
      body: { code: "permission_denied", detail: `${reads}; ${instead}, or use a key that covers them all, which support grants` },
    });
    await update(limited, { countries: ["NOR", "LAT", "EST"] });
    expect(await call("users", "POST", "/login-with-apikey", { key: limited, body: { service } })).toMatchObject({ status: 200 });
  });

  it("without the realtime scope never returns a warehouse token, but a storage token", async () => {
    const key = keyOf(await newCustomer({ keys: { plain: { ...GRANTS, scopes: [] } } }), "plain");
    expect(await call("users", "POST", "/login-with-apikey", { key, body: { service: "warehouse" } })).toMatchObject({
      status: 403,
      body: { detail: expect.stringContaining("This key lacks the realtime scope") },
    });
    expect(await call("users", "POST", "/login-with-apikey", { key })).toMatchObject({ status: 200 });
  });

  it("for an unknown service lists the two allowed", async () => {
    expect(await call("users", "POST", "/login-with-apikey", { key: keyOf(customer), body: { service: "compute" } })).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: "/service", detail: "must be one of storage, warehouse", allowed: ["storage", "warehouse"] }] },
    });
  });
});
