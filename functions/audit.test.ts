import * as v from "valibot";
import { afterAll, describe, expect, it } from "vitest";
import { serveInProcess } from "../infra/testing/in-process.ts";
import { keyOf, newCustomer } from "../infra/testing/service.ts";
import type { Endpoint } from "../shared/http/define-endpoint.ts";
import { config } from "../shared/runtime/config.ts";
import login from "./auth/login.ts";
import create from "./machine-accounts/create.ts";
import list from "./machine-accounts/list.ts";
import realtimeData from "./realtime/data.ts";

const admin = { service: "warehouse", scopes: ["realtime"], machineAccountAdmin: true } as const;
const plain = { service: "storage", scopes: [], machineAccountAdmin: false } as const;
const customer = await newCustomer({ keys: { admin, plain } });
const PATH = `/users/${customer.uid}/machine-accounts`;
const Entry = v.object({ severity: v.string(), requestId: v.string(), audit: v.looseObject({ action: v.string(), subject: v.string() }) });
const closing: (() => Promise<unknown>)[] = [];

afterAll(() => Promise.all(closing.map((close) => close())));

async function serving(endpoint: Endpoint) {
  const served = await serveInProcess({ endpoint, config: config() });
  closing.push(served.close);
  const entries = () =>
    served.logged.map((line) => v.safeParse(Entry, JSON.parse(line))).flatMap(({ success, output }) => (success ? [output] : []));
  return { ...served, entries };
}

describe("the audit", () => {
  it("records each minted token: actor, service, source address, kind of client and request", async () => {
    const { call, entries } = await serving(login);
    const key = keyOf(customer, "admin");
    const { headers } = await call({
      key,
      body: { service: "warehouse" },
      headers: { "x-forwarded-for": "203.0.113.7, 10.0.0.1", "user-agent": "python-requests/2.32" },
    });
    expect(entries()).toEqual([
      {
        severity: "NOTICE",
        requestId: headers.get("x-request-id"),
        audit: {
          action: "token.mint",
          subject: "warehouse",
          uid: customer.uid,
          actor: { kind: "key", keyLabel: "admin", keyHint: key.slice(0, 6) },
          requestId: headers.get("x-request-id"),
          // Locally the peer: the header is the client's own claim.
          sourceAddress: "127.0.0.1",
          client: "python",
        },
      },
    ]);
  });

  it("records each created or rotated key, and never the key itself", async () => {
    const { call, entries, logged } = await serving(create);
    const made = [];
    for (let time = 0; time < 2; time++) {
      const { body } = await call({ key: keyOf(customer, "admin"), path: PATH, body: { keyLabel: "audited" } });
      made.push(v.parse(v.object({ apiKey: v.string() }), body).apiKey);
    }
    expect(entries().map(({ audit: { action, subject } }) => ({ action, subject }))).toEqual([
      { action: "key.create", subject: `audited (${made[0]?.slice(0, 6)}…)` },
      { action: "key.rotate", subject: `audited (${made[1]?.slice(0, 6)}…)` },
    ]);
    expect(logged.join("")).not.toMatch(/[0-9a-f]{64}/);
  });

  it.each([
    ["a missing scope", realtimeData, undefined, "realtime-data: This key lacks the realtime scope"],
    ["a missing profile", login, { service: "warehouse" }, "auth-login: This key has the storage profile"],
    ["no admin access", list, undefined, "machine-accounts-list: This key lacks machine-account admin access"],
  ])("records each refusal for %s", async (_why, endpoint: Endpoint, body, subject) => {
    const { call, entries } = await serving(endpoint);
    const path = endpoint.path.replace("{uid}", customer.uid);
    expect(await call({ key: keyOf(customer, "plain"), path, ...(body ? { body } : {}) })).toMatchObject({ status: 403 });
    expect(entries()).toMatchObject([{ audit: { action: "access.refuse", subject: expect.stringContaining(subject), uid: customer.uid } }]);
  });
});
