import { expect, it } from "vitest";
import type { AuditLine } from "../audit-source.ts";
import type { AccessState, KeyAccess } from "./access-state.ts";
import { foundWithout } from "./undeleted.ts";

const CUSTOMER = { name: "Acme", status: "active", countries: ["EST"], allow: { scopes: [], profiles: ["storage"] } } as const;

function key(uid: string, keyLabel: string, keyHint: string): KeyAccess {
  const grants = { service: "storage", scopes: [], countries: ["EST"], defaultCountry: "EST", machineAccountAdmin: false } as const;
  return {
    key: { uid, keyLabel, ...grants, scopes: [], countries: ["EST"], expiresAt: null, suspended: false },
    keyHint,
    madeAt: new Date(0),
  };
}

const entry = (uid: string, action: string, subject: string): AuditLine => ({
  time: "2026-11-23T00:00:00Z",
  audit: { action, uid, subject, actor: { kind: "operator", name: "ada" } },
});

const customer = { ...CUSTOMER, countries: ["EST"], allow: { scopes: [], profiles: ["storage" as const] } };
const older: AccessState = {
  customers: new Map([
    ["acme", customer],
    ["globex", customer],
  ]),
  keys: new Map([
    ["hash-1", key("acme", "main", "111111")],
    ["hash-2", key("acme", "leaked", "222222")],
  ]),
};
const nobody: AccessState = { customers: new Map(), keys: new Map() };
const audit = [
  entry("acme", "key.revoke", "leaked (222222…)"),
  entry("acme", "customer.delete", "Acme: begun"),
  entry("globex", "customer.delete", "Globex: begun"),
];

it.each([
  ["the present state", nobody],
  ["the audit alone", undefined],
])("a customer that was deleted by mistake is kept, but not its key that was revoked before: by %s", (_by, present) => {
  expect(foundWithout(["acme"], older, present, audit).found).toMatchObject([
    { kind: "customer deleted", uid: "globex" },
    { kind: "key revoked", uid: "acme", keyLabel: "leaked" },
  ]);
  expect(foundWithout([], older, present, audit).found).toMatchObject([
    { kind: "customer deleted", uid: "acme" },
    { kind: "customer deleted", uid: "globex" },
  ]);
});

it("an undeleted customer is one that the restored database has and the present one has not", () => {
  expect(() => foundWithout(["initech"], older, nobody, audit)).toThrow("--undelete initech: the restored database has no such customer");
  expect(() => foundWithout(["acme"], older, older, audit)).toThrow("--undelete acme: this customer was not deleted");
});
