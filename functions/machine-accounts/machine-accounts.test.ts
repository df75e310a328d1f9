import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { call, keyOf, newCustomer } from "../../infra/testing/service.ts";
import { MachineAccountListResponse, NewKeyResponse } from "../../shared/accounts/machine-account-schemas.ts";

const admin = { service: "warehouse", scopes: ["realtime"], machineAccountAdmin: true } as const;
const KEYS = {
  admin,
  storage_admin: { ...admin, service: "storage" },
  plain_admin: { ...admin, scopes: [] },
  storage: { ...admin, service: "storage", machineAccountAdmin: false },
} as const;
const adminCustomer = () => newCustomer({ keys: KEYS });
const customer = await adminCustomer();
const other = await adminCustomer();
const PATH = `/users/${customer.uid}/machine-accounts`;

function make(body: object, key = keyOf(customer, "admin"), path = PATH) {
  return call("users", "POST", path, { key, body });
}

async function made(body: object, key?: string) {
  const { status, body: answer } = await make(body, key);
  expect([200, 201], JSON.stringify(answer)).toContain(status);
  return { status, ...v.parse(NewKeyResponse, answer) };
}

async function accounts(key = keyOf(customer, "admin")) {
  const answer = await call("users", "GET", `${PATH}/list`, { key });
  expect(answer).toMatchObject({ status: 200 });
  return v.parse(MachineAccountListResponse, answer.body).machineAccounts;
}

function login(key: string, service = "storage") {
  return call("users", "POST", "/login-with-apikey", { key, body: { service } });
}

describe("a new label", () => {
  it("gets a key that works at once, with the storage profile unless asked otherwise", async () => {
    const key = await made({ keyLabel: "night-run" });
    expect(key).toMatchObject({ status: 201, keyLabel: "night-run", service: "storage", rotated: false });
    expect(key.apiKey).toMatch(/^[0-9a-f]{64}$/);
    expect(key.serviceAccount).toBe(`storage-${customer.uid}@demo-local.iam.gserviceaccount.com`);
    expect(await login(key.apiKey)).toMatchObject({ status: 200 });
    expect(await login(key.apiKey, "warehouse")).toMatchObject({ status: 403 });
    expect(await call("data", "GET", "/admin/realtime/data", { key: key.apiKey })).toMatchObject({ status: 200 });
  });

  it("with the warehouse profile mints both kinds of token", async () => {
    const { apiKey } = await made({ keyLabel: "reports", service: "warehouse" });
    for (const service of ["storage", "warehouse"]) expect(await login(apiKey, service)).toMatchObject({ status: 200 });
  });

  it("never has machine-account admin access", async () => {
    const { apiKey } = await made({ keyLabel: "helper" });
    expect(await make({ keyLabel: "more" }, apiKey)).toMatchObject({ status: 403, body: { code: "permission_denied" } });
  });

  it.each(["", "Upper", "1st", "under_score", "a".repeat(64), "a/b", "a..b", "ä"])("%j is rejected", async (keyLabel) => {
    expect(await make({ keyLabel })).toMatchObject({ status: 400, body: { errors: [{ pointer: "/keyLabel" }] } });
  });
});

describe("a known label", () => {
  it("is rotated: the new key works, the old one does not, and the profile stays", async () => {
    const first = await made({ keyLabel: "etl", service: "warehouse" });
    const second = await made({ keyLabel: "etl" });
    expect(second).toMatchObject({ status: 200, service: "warehouse", rotated: true });
    expect(await login(first.apiKey)).toMatchObject({ status: 401, body: { code: "unauthenticated" } });
    expect(await login(second.apiKey, "warehouse")).toMatchObject({ status: 200 });
  });

  it("can get another profile", async () => {
    await made({ keyLabel: "lesser", service: "warehouse" });
    const { apiKey } = await made({ keyLabel: "lesser", service: "storage" });
    expect(await login(apiKey, "warehouse")).toMatchObject({ status: 403 });
  });

  it("with admin access keeps it, so that the last one is never lost", async () => {
    const own = await adminCustomer();
    const path = `/users/${own.uid}/machine-accounts`;
    const rotated = v.parse(NewKeyResponse, (await make({ keyLabel: "admin", service: "storage" }, keyOf(own, "admin"), path)).body);
    expect(await call("users", "GET", `${path}/list`, { key: rotated.apiKey })).toMatchObject({ status: 200 });
    expect(await call("users", "GET", `${path}/list`, { key: keyOf(own, "admin") })).toMatchObject({ status: 401 });
  });

  it("rotated by ten requests at once has one working key", async () => {
    const attempts = await Promise.all(Array.from({ length: 10 }, () => made({ keyLabel: "contended" })));
    const answers = await Promise.all(attempts.map(({ apiKey }) => login(apiKey)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(9);
    expect(attempts.filter(({ rotated }) => !rotated)).toHaveLength(1);
  });
});

describe("a key that is rotated while it creates others", () => {
  it("creates none from then on: of eight that rotate their own label at once, one gets a key", async () => {
    const own = await adminCustomer();
    const path = `/users/${own.uid}/machine-accounts`;
    const answers = await Promise.all(Array.from({ length: 8 }, () => make({ keyLabel: "admin" }, keyOf(own, "admin"), path)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401, 401, 401, 401]);
    const living = answers.find(({ status }) => status === 200);
    expect(await login(v.parse(NewKeyResponse, living?.body).apiKey)).toMatchObject({ status: 200 });
  });
});

describe("a key's reach", () => {
  it.each([
    ["the warehouse profile by a storage key", "storage_admin", { keyLabel: "greedy", service: "warehouse" }, "warehouse profile"],
    ["a label with the warehouse profile by a storage key", "storage_admin", { keyLabel: "admin" }, "warehouse profile"],
    ["a label with a scope that the creator lacks", "plain_admin", { keyLabel: "storage" }, "realtime scope"],
  ])("is limited to its creator's: %s is a 403, and nothing changes", async (_what, creator, body, named) => {
    const keysOf = async () => (await accounts()).map(({ lastUsedAt: _used, lastUsedFrom: _from, ...account }) => account);
    const before = await keysOf();
    expect(await make(body, keyOf(customer, creator))).toMatchObject({
      status: 403,
      body: { code: "permission_denied", detail: expect.stringContaining(named) },
    });
    expect(await keysOf()).toEqual(before);
    expect(await login(keyOf(customer, "storage"))).toMatchObject({ status: 200 });
  });

  it("is limited to its customer: another customer's path is a 404, like an unknown one", async () => {
    for (const uid of [other.uid, "nobody1234", "..", "%2e%2e", "A", `${customer.uid}x`]) {
      expect(await make({ keyLabel: "x" }, undefined, `/users/${uid}/machine-accounts`)).toMatchObject({ status: 404 });
      const list = await call("users", "GET", `/users/${uid}/machine-accounts/list`, { key: keyOf(customer, "admin") });
      expect(list).toMatchObject({ status: 404, body: { code: "not_found" } });
    }
  });

  it("needs machine-account admin access", async () => {
    expect(await make({ keyLabel: "x" }, keyOf(customer))).toMatchObject({ status: 403, body: { code: "permission_denied" } });
    expect(await call("users", "GET", `${PATH}/list`, { key: keyOf(customer) })).toMatchObject({ status: 403 });
  });
});

describe("the list", () => {
  it("has each label with its profile, scopes, times and hint, and never a key or a hash", async () => {
    const { apiKey, rotatedAt } = await made({ keyLabel: "listed" });
    const found = (await accounts()).find(({ keyLabel }) => keyLabel === "listed");
    expect(found).toEqual({
      keyLabel: "listed",
      service: "storage",
      scopes: ["realtime"],
      createdAt: rotatedAt,
      rotatedAt,
      lastUsedAt: null,
      lastUsedFrom: null,
      expiresAt: null,
      keyHint: apiKey.slice(0, 6),
    });
    const again = await made({ keyLabel: "listed" });
    const rotated = (await accounts()).find(({ keyLabel }) => keyLabel === "listed");
    expect(rotated).toMatchObject({ createdAt: rotatedAt, rotatedAt: again.rotatedAt, keyHint: again.apiKey.slice(0, 6) });
    const text = JSON.stringify(await call("users", "GET", `${PATH}/list`, { key: keyOf(customer, "admin") }));
    expect(text).not.toMatch(/[0-9a-f]{64}/);
  });
});
