import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { call, keyOf, newCustomer } from "../../infra/testing/service.ts";
import { MachineAccountListResponse, NewKeyResponse } from "../../shared/accounts/machine-account-schemas.ts";

const admin = { service: "warehouse", scopes: ["realtime"], machineAccountAdmin: true } as const;
const plain = { service: "storage", scopes: [], machineAccountAdmin: false } as const;
const ALLOW = { scopes: ["realtime"], profiles: ["storage", "warehouse"] } as const;
const KEYS = { admin, plain, second: { ...admin, service: "storage", scopes: [] } } as const;

/** A customer with two admins and a key without grants. Its admins may grant everything, unless told otherwise. */
async function party(allow: Parameters<typeof newCustomer>[0] = { allow: ALLOW }) {
  const customer = await newCustomer({ keys: KEYS, ...allow });
  const path = `/users/${customer.uid}/machine-accounts`;
  const ask = (method: string, label: string, body?: object, key = keyOf(customer, "admin")) =>
    call("users", method, `${path}/${label}`, { key, ...(body ? { body } : {}) });
  const labels = async (key = keyOf(customer, "admin")) => {
    const { machineAccounts } = v.parse(MachineAccountListResponse, (await call("users", "GET", `${path}/list`, { key })).body);
    return machineAccounts.map(({ keyLabel, service, scopes }) => [keyLabel, service, ...scopes].join(" "));
  };
  return { customer, path, ask, labels };
}

const login = (key: string, service: string) => call("users", "POST", "/login-with-apikey", { key, body: { service } });
const headcounts = (key: string) => call("data", "GET", "/admin/realtime/data", { key });

describe("a change of a machine account", () => {
  it("grants scopes and the warehouse profile from the next request on, and takes them back", async () => {
    const { customer, ask, labels } = await party();
    const key = keyOf(customer, "plain");
    expect([(await headcounts(key)).status, (await login(key, "warehouse")).status]).toEqual([403, 403]);
    expect(await ask("PATCH", "plain", { scopes: ["realtime"], service: "warehouse" })).toMatchObject({
      status: 200,
      body: { keyLabel: "plain", service: "warehouse", scopes: ["realtime"], keyHint: key.slice(0, 6) },
    });
    expect([(await headcounts(key)).status, (await login(key, "warehouse")).status]).toEqual([200, 200]);
    expect(await labels()).toContain("plain warehouse realtime");
    expect(await ask("PATCH", "plain", { scopes: [] })).toMatchObject({ status: 200, body: { service: "warehouse", scopes: [] } });
    expect((await headcounts(key)).status).toBe(403);
  });

  it("keeps a scope that is sent twice once", async () => {
    const { ask, labels } = await party();
    const twice = { scopes: ["realtime", "realtime"] };
    expect(await ask("PATCH", "plain", twice)).toMatchObject({ status: 200, body: { scopes: ["realtime"] } });
    expect(await labels()).toContain("plain storage realtime");
  });

  it("may change the asker's own key", async () => {
    const { customer, ask } = await party();
    const second = keyOf(customer, "second");
    expect((await headcounts(second)).status).toBe(403);
    expect(await ask("PATCH", "second", { scopes: ["realtime"] }, second)).toMatchObject({ status: 200 });
    expect((await headcounts(second)).status).toBe(200);
  });

  it.each([
    ["a scope", { scopes: ["realtime"] }, "This customer may not grant the realtime scope by itself; support can"],
    ["the warehouse profile", { service: "warehouse" }, "This customer may not grant the warehouse profile by itself; support can"],
  ])("beyond what the operator allows is a 403: %s", async (_what, body, detail) => {
    const { ask, labels } = await party({});
    const before = await labels();
    expect(await ask("PATCH", "plain", body)).toMatchObject({ status: 403, body: { code: "permission_denied", detail } });
    // What a key has already is not granted again.
    expect(await ask("PATCH", "admin", { scopes: ["realtime"], service: "warehouse" })).toMatchObject({ status: 200 });
    expect(await labels()).toEqual(before);
  });

  it.each([
    ["nothing", {}, "Nothing to change: send scopes, service or expiresAt"],
    ["an unknown scope", { scopes: ["everything"] }, "scopes/0"],
  ])("with %s is a 400", async (_what, body, detail) => {
    const { ask } = await party();
    const answer = await ask("PATCH", "plain", body);
    expect(answer).toMatchObject({ status: 400, body: { code: "invalid_argument" } });
    expect(JSON.stringify(answer.body)).toContain(detail);
  });
});

describe("the removal of a machine account", () => {
  it("kills its key at once, also a key that was just rotated", async () => {
    const { customer, path, ask, labels } = await party();
    const rotated = await call("users", "POST", path, { key: keyOf(customer, "admin"), body: { keyLabel: "plain" } });
    const { apiKey } = v.parse(NewKeyResponse, rotated.body);
    expect(await ask("DELETE", "plain")).toMatchObject({ status: 200, body: { msg: "Machine account removed", keyLabel: "plain" } });
    expect((await login(apiKey, "storage")).status).toBe(401);
    expect(await labels()).toEqual(["admin warehouse realtime", "second storage"]);
    expect(await ask("DELETE", "plain")).toMatchObject({ status: 404, body: { detail: "There is no such machine account" } });
  });

  it("of the last one with admin access is a 409, even when all are removed at once", async () => {
    const { customer, ask } = await party();
    const [one, two] = [keyOf(customer, "admin"), keyOf(customer, "second")];
    const answers = await Promise.all([ask("DELETE", "second", undefined, one), ask("DELETE", "admin", undefined, two)]);
    expect(answers.map(({ status }) => status).filter((status) => status === 200)).toHaveLength(1);
    const [left, label] = answers[0]?.status === 200 ? ([one, "admin"] as const) : ([two, "second"] as const);
    expect(await ask("DELETE", label, undefined, left)).toMatchObject({ status: 409, body: { code: "conflict" } });
    expect((await login(left, "storage")).status).toBe(200);
  });
});

describe("both", () => {
  it("need machine-account admin access", async () => {
    const { customer, ask, labels } = await party();
    const before = await labels();
    for (const [method, body] of [
      ["PATCH", { scopes: [] }],
      ["DELETE", undefined],
    ] as const)
      expect(await ask(method, "second", body, keyOf(customer, "plain"))).toMatchObject({
        status: 403,
        body: { code: "permission_denied" },
      });
    expect(await labels()).toEqual(before);
  });

  it("reach the own customer only: another's path is a 404, like an unknown label", async () => {
    const { customer, ask } = await party();
    const other = await party();
    for (const [method, body] of [
      ["PATCH", { scopes: [] }],
      ["DELETE", undefined],
    ] as const) {
      const path = `/users/${other.customer.uid}/machine-accounts/plain`;
      expect(await call("users", method, path, { key: keyOf(customer, "admin"), ...(body ? { body } : {}) })).toMatchObject({
        status: 404,
      });
      expect(await ask(method, "nobody", body)).toMatchObject({ status: 404, body: { detail: "There is no such machine account" } });
    }
    expect(await other.labels()).toContain("plain storage");
  });
});
