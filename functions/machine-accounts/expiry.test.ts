import * as v from "valibot";
import { afterAll, describe, expect, it } from "vitest";
import { serveInProcess } from "../../infra/testing/in-process.ts";
import { keyOf, newCustomer } from "../../infra/testing/service.ts";
import { MachineAccountListResponse, NewKeyResponse } from "../../shared/accounts/machine-account-schemas.ts";
import { config } from "../../shared/runtime/config.ts";
import login from "../auth/login.ts";
import me from "../customers/me.ts";
import change from "./change.ts";
import create from "./create.ts";
import list from "./list.ts";
import remove from "./remove.ts";

const admin = { service: "storage", scopes: [], machineAccountAdmin: true } as const;
const START = new Date("2030-01-01T00:00:00Z");
const END = "2030-01-02T00:00:00.000Z";

let now = START;
const clock = { config: config(), now: () => now };
const [logins, whoami, changes, creations, lists, removals] = await Promise.all(
  [login, me, change, create, list, remove].map((endpoint) => serveInProcess({ endpoint, ...clock })),
);
afterAll(() => Promise.all([logins, whoami, changes, creations, lists, removals].map((served) => served?.close())));

/** A customer with two admins, at the start of the test's time. */
async function party() {
  now = START;
  const customer = await newCustomer({ keys: { admin, second: admin } });
  const path = `/users/${customer.uid}/machine-accounts`;
  const key = keyOf(customer, "admin");
  return {
    customer,
    key,
    make: async (body: object) => {
      const answer = await creations?.call({ key, path, body });
      return { ...answer, apiKey: v.is(NewKeyResponse, answer?.body) ? answer.body.apiKey : "" };
    },
    patch: (label: string, body: object, as = key) => changes?.call({ key: as, path: `${path}/${label}`, body }),
    drop: (label: string, as = key) => removals?.call({ key: as, path: `${path}/${label}` }),
    ends: async () => {
      const answer = await lists?.call({ key, path: `${path}/list` });
      return v.parse(MachineAccountListResponse, answer?.body).machineAccounts.map(({ keyLabel, expiresAt }) => [keyLabel, expiresAt]);
    },
  };
}
const enters = async (key: string) => (await logins?.call({ key }))?.status;
const at = (time: string): void => {
  now = new Date(time);
};

describe("a key with an end", () => {
  it("works until then, and its holder is told that it expired", async () => {
    const { make, ends } = await party();
    const made = await make({ keyLabel: "guest", expiresAt: "2030-01-02T02:00:00+02:00" });
    expect(made).toMatchObject({ status: 201, body: { expiresAt: END } });
    expect(await ends()).toEqual([
      ["admin", null],
      ["guest", END],
      ["second", null],
    ]);
    at("2030-01-01T23:59:59.999Z");
    expect(await enters(made.apiKey)).toBe(200);
    expect(await whoami?.call({ key: made.apiKey })).toMatchObject({ status: 200, body: { expiresAt: END } });
    at(END);
    const refused = await logins?.call({ key: made.apiKey });
    expect(refused).toMatchObject({
      status: 401,
      body: { code: "unauthenticated", detail: `This API key expired at ${END}; an admin of the customer can rotate it` },
    });
    expect(refused?.headers.get("www-authenticate")).toContain("ApiKey");
    const unknown = await logins?.call({ key: `${made.apiKey.slice(0, 63)}${made.apiKey.endsWith("0") ? "1" : "0"}` });
    expect(unknown).toMatchObject({ status: 401, body: { detail: expect.not.stringContaining("expired") } });
  });

  it("is changed, removed and set by PATCH, also past the end", async () => {
    const { make, patch } = await party();
    const { apiKey } = await make({ keyLabel: "guest" });
    expect(await patch("guest", { expiresAt: END })).toMatchObject({ status: 200, body: { expiresAt: END } });
    expect(await patch("guest", { service: "storage" })).toMatchObject({ status: 200, body: { expiresAt: END } });
    at("2030-01-03T00:00:00Z");
    expect(await enters(apiKey)).toBe(401);
    expect(await patch("guest", { expiresAt: null })).toMatchObject({ status: 200, body: { expiresAt: null } });
    expect(await enters(apiKey)).toBe(200);
  });

  it("keeps its end when it is rotated, unless another is given; past it, one must be", async () => {
    const { make } = await party();
    const old = await make({ keyLabel: "guest", expiresAt: END });
    expect(await make({ keyLabel: "guest" })).toMatchObject({ status: 200, body: { rotated: true, expiresAt: END } });
    at("2030-01-03T00:00:00Z");
    expect(await make({ keyLabel: "guest" })).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: "/expiresAt", detail: "must be in the future; it is 2030-01-03T00:00:00.000Z now; null removes it" }] },
    });
    const fresh = await make({ keyLabel: "guest", expiresAt: null });
    expect(fresh).toMatchObject({ status: 200, body: { expiresAt: null } });
    expect([await enters(old.apiKey), await enters(fresh.apiKey)]).toEqual([401, 200]);
  });

  it.each([
    ["in the past", "2029-12-31T23:59:59Z", "must be in the future"],
    ["far ahead", "2032-01-02T00:00:00Z", "must be at most 730 days ahead"],
    ["without a time of day", "2030-02-01", "must be a time in ISO 8601 with seconds and an offset or Z"],
    ["as a number", 1_893_456_000, "must be a time in ISO 8601 with seconds and an offset or Z"],
  ])("%s is refused, and nothing changes", async (_what, expiresAt, detail) => {
    const { make, patch, ends } = await party();
    const refused = { status: 400, body: { errors: [{ pointer: "/expiresAt", detail: expect.stringContaining(detail) }] } };
    expect(await make({ keyLabel: "guest", expiresAt })).toMatchObject(refused);
    expect(await patch("second", { expiresAt })).toMatchObject(refused);
    expect(await ends()).toEqual([
      ["admin", null],
      ["second", null],
    ]);
  });

  it("does not count as an admin past its end: the last one who is left stays", async () => {
    const { customer, patch, drop } = await party();
    await patch("second", { expiresAt: END });
    at(END);
    expect(await drop("admin")).toMatchObject({ status: 409, body: { code: "conflict" } });
    expect(await drop("admin", keyOf(customer, "second"))).toMatchObject({ status: 401 });
    expect(await drop("second")).toMatchObject({ status: 200 });
  });
});

describe("a customer's machine accounts", () => {
  it("are created 20 an hour, but rotated and removed without a limit", async () => {
    const { make, drop } = await party();
    const statuses: (number | undefined)[] = [];
    for (let made = 0; made < 20; made++) statuses.push((await make({ keyLabel: `key-${made}` })).status);
    // Removed ones count, or else removing would make room.
    expect(await drop("key-0")).toMatchObject({ status: 200 });
    at("2030-01-01T00:59:59Z");
    const beyond = await make({ keyLabel: "one-more" });
    expect(statuses).toEqual(Array.from({ length: 20 }, () => 201));
    expect(beyond).toMatchObject({ status: 429, body: { code: "resource_exhausted" } });
    expect(beyond.headers?.get("retry-after")).toBe("1");
    expect(await make({ keyLabel: "key-1" })).toMatchObject({ status: 200 });
    at("2030-01-01T01:00:00Z");
    expect(await make({ keyLabel: "one-more" })).toMatchObject({ status: 201 });
  });

  it("are 100 at most, and at 100 each can still be rotated", async () => {
    now = START;
    const keys = Object.fromEntries(Array.from({ length: 99 }, (_, index) => [`key-${index}`, { ...admin, machineAccountAdmin: false }]));
    const { uid, keys: texts } = await newCustomer({ keys: { admin, ...keys } });
    const call = (keyLabel: string) =>
      creations?.call({ key: texts.admin ?? "", path: `/users/${uid}/machine-accounts`, body: { keyLabel } });
    expect(await call("one-more")).toMatchObject({
      status: 429,
      body: { detail: expect.stringContaining("at most 100 machine accounts") },
    });
    expect(await call("key-7")).toMatchObject({ status: 200, body: { rotated: true } });
  });
});
