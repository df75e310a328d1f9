import { describe, expect, it } from "vitest";
import { call, keyOf, newCustomer, ready } from "../../infra/testing/service.ts";
import { DEFAULT_LIMITS } from "../../shared/accounts/customers.ts";

const admin = { service: "warehouse", scopes: ["realtime"], machineAccountAdmin: true } as const;
const plain = { service: "storage", scopes: [], machineAccountAdmin: false } as const;
const ALLOW = { scopes: ["realtime"], profiles: ["storage", "warehouse"] } as const;
const polygon = { name: "A map", type: "custom_polygon", geometry: "POLYGON((24.7 59.4, 24.71 59.4, 24.71 59.41, 24.7 59.4))" };
const job = {
  ...{ agg_type: "activities", measure: "stays_count", activity_type: "daily", geo_type: "grid_1000m" },
  ...{ start_time: "2020-01-01", end_time: "2020-01-02" },
};

const me = async (key: string) => (await call("users", "GET", "/users/me", { key })).body;

describe("GET /users/me", () => {
  it("tells a key about itself, its customer's limits and what is used", async () => {
    const customer = await newCustomer({
      keys: { admin, plain },
      countries: ["EST", "LAT"],
      limits: { runningJobs: 0, unfinishedJobs: 9 },
    });
    const key = keyOf(customer, "plain");
    const limits = { ...DEFAULT_LIMITS, runningJobs: 0, unfinishedJobs: 9 };
    const nothing = { runningJobs: 0, unfinishedJobs: 0, exportsToday: 0, maps: 0, geometryBytes: 0, monitoredCells: 0, bytesToday: 0 };
    const expected = {
      ...{ uid: customer.uid, name: "A test's customer", keyLabel: "plain", service: "storage", scopes: [], countries: ["EST", "LAT"] },
      ...{
        defaultCountry: "EST",
        machineAccountAdmin: false,
        expiresAt: null,
        allow: { scopes: [], profiles: ["storage"] },
        limits,
        usage: nothing,
      },
      personalDataset: { state: "none", dataset: null },
    };
    expect(await me(key)).toEqual(expected);
    expect(await me(keyOf(customer, "admin"))).toMatchObject({ keyLabel: "admin", service: "warehouse", machineAccountAdmin: true });
    await call("users", "POST", "/admin/maps", { key, body: polygon });
    for (const full of [true, false]) await call("data", "POST", "/data-agg", { key, body: { ...job, full } });
    const geometryBytes = polygon.geometry.length;
    const usage = { ...nothing, unfinishedJobs: 2, exportsToday: 1, maps: 1, geometryBytes, bytesToday: expect.any(Number) };
    expect(await me(key)).toEqual({ ...expected, usage });
  });

  it("tells the sample's first customer that its admins may grant everything", async () => {
    const [first, second] = ready.customers;
    expect(await me(first?.keys.storage ?? "")).toMatchObject({ name: "Acme Mobility", allow: ALLOW });
    expect(await me(second?.keys.storage ?? "")).toMatchObject({ name: "Globex Transit", allow: { scopes: [], profiles: ["storage"] } });
  });

  it("tells the sample's customers of their personal datasets, which are there", async () => {
    for (const { uid, keys } of ready.customers)
      expect(await me(keys.storage ?? "")).toMatchObject({ personalDataset: { state: "ready", dataset: `customer_${uid}` } });
  });
});

describe("the personal dataset", () => {
  const pathOf = ({ uid }: { readonly uid: string }) => `/users/${uid}/personal-dataset`;

  it("is requested once, and then there: locally at once, with the customer's headcounts", async () => {
    const customer = await newCustomer({ keys: { admin, plain }, allow: ALLOW });
    const key = keyOf(customer, "admin");
    const ask = (method: string) => call("users", method, pathOf(customer), { key });
    expect((await ask("GET")).body).toEqual({ state: "none", dataset: null });
    expect(await ask("POST")).toMatchObject({ status: 200, body: { state: "requested", dataset: null } });
    const dataset = `customer_${customer.uid}`;
    await expect.poll(async () => (await ask("GET")).body, { timeout: 60_000 }).toEqual({ state: "ready", dataset });
    expect(await ask("POST")).toMatchObject({ status: 200, body: { state: "ready", dataset } });
    expect(await me(key)).toMatchObject({ personalDataset: { state: "ready", dataset } });
  });

  it("is refused where the operator does not allow it, without admin access, and to others", async () => {
    const customer = await newCustomer({ keys: { admin, plain } });
    const other = await newCustomer({ keys: { admin }, allow: ALLOW });
    const key = keyOf(customer, "admin");
    expect(await call("users", "POST", pathOf(customer), { key })).toMatchObject({
      status: 403,
      body: { detail: "This customer may not request a personal dataset by itself; support can" },
    });
    for (const method of ["GET", "POST"]) {
      expect(await call("users", method, pathOf(customer), { key: keyOf(customer, "plain") })).toMatchObject({ status: 403 });
      expect(await call("users", method, pathOf(other), { key })).toMatchObject({ status: 404 });
    }
    expect((await call("users", "GET", pathOf(other), { key: keyOf(other, "admin") })).body).toEqual({ state: "none", dataset: null });
  });
});
