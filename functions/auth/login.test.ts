import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { call, keyOf, newCustomer, ready } from "../../infra/testing/service.ts";
import { LoginResponse } from "../../shared/accounts/login-schemas.ts";

const customer = await newCustomer();

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

  it("for an unknown service lists the two allowed", async () => {
    expect(await call("users", "POST", "/login-with-apikey", { key: keyOf(customer), body: { service: "compute" } })).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: "/service", detail: "must be one of storage, warehouse", allowed: ["storage", "warehouse"] }] },
    });
  });
});
