import { describe, expect, it } from "vitest";
import type { AuditLine } from "../audit-source.ts";
import type { AccessState, CustomerAccess, KeyAccess } from "./access-state.ts";
import { stateAt, withdrawals, withdrawalsOfAudit } from "./withdrawals.ts";

const CUSTOMER = {
  name: "Acme",
  status: "active",
  countries: ["EST", "NOR"],
  allow: { scopes: ["realtime"], profiles: ["storage"] },
} as const;
const KEY: KeyAccess["key"] = {
  uid: "acme",
  keyLabel: "main",
  service: "warehouse",
  scopes: ["realtime"],
  countries: ["EST", "NOR"],
  defaultCountry: "EST",
  machineAccountAdmin: true,
  expiresAt: null,
  suspended: false,
};

const SINCE = new Date("2026-11-22T00:00:00Z");

/** A state with the customer acme and its key, changed as given; null leaves it out. */
function state({
  customer = {},
  key = {},
  madeAt = new Date(0),
}: {
  customer?: Partial<CustomerAccess> | null;
  key?: Partial<KeyAccess["key"]> | null;
  madeAt?: Date;
} = {}): AccessState {
  return {
    customers: new Map(customer === null ? [] : [["acme", { ...CUSTOMER, ...customer }]]),
    keys: new Map(key === null ? [] : [["hash", { key: { ...KEY, ...key }, keyHint: "012345", madeAt }]]),
  };
}

const entry = (action: string, subject?: string, uid = "acme"): AuditLine => ({
  time: "2026-11-23T00:00:00Z",
  audit: { action, uid, actor: { kind: "operator", name: "ada" }, ...(subject === undefined ? {} : { subject }) },
});

describe("what was withdrawn since an older state", () => {
  it.each([
    ["nothing, if nothing has changed", state(), []],
    ["nothing, if more was granted since", state({ key: { countries: ["EST", "NOR", "LAT"] } }), []],
    ["a deleted customer, once for all its keys", state({ customer: null, key: null }), [{ kind: "customer deleted", uid: "acme" }]],
    ["a suspended customer", state({ customer: { status: "suspended" }, key: { suspended: true } }), [{ kind: "customer suspended" }]],
    [
      "a country and a profile of a customer",
      state({ customer: { countries: ["EST"], allow: { scopes: ["realtime"], profiles: [] } } }),
      [{ kind: "customer limited", rest: { countries: ["EST"], allow: { scopes: ["realtime"], profiles: [] } } }],
    ],
    ["a revoked key", state({ key: null }), [{ kind: "key revoked", hash: "hash", keyLabel: "main" }]],
    ["a scope", state({ key: { scopes: [] } }), [{ kind: "key limited", rest: { scopes: [], countries: ["EST", "NOR"] } }]],
    ["a country", state({ key: { countries: ["NOR"] } }), [{ kind: "key limited", rest: { countries: ["NOR"] } }]],
    ["the warehouse profile", state({ key: { service: "storage" } }), [{ kind: "key limited", rest: { service: "storage" } }]],
    [
      "the administrator's access",
      state({ key: { machineAccountAdmin: false } }),
      [{ kind: "key limited", rest: { machineAccountAdmin: false } }],
    ],
    ["time", state({ key: { expiresAt: new Date(5) } }), [{ kind: "key limited", rest: { expiresAt: new Date(5) } }]],
  ])("is %s", (_, present, found) => {
    expect(withdrawals(state(), present, [])).toMatchObject(found);
  });

  it.each([
    ["a revocation of the label", [entry("key.revoke", "main (012345…)")], "key.revoke"],
    ["a rotation of the label", [entry("key.rotate", "main (ffffff…)")], "key.rotate"],
    ["no entry of another label", [entry("key.revoke", "main-2 (012345…)")], undefined],
    ["no entry of another customer", [entry("key.revoke", "main (012345…)", "globex")], undefined],
  ])("a revoked key is explained by %s", (_, audit, action) => {
    expect(withdrawals(state(), state({ key: null }), audit)[0]?.because?.audit.action).toBe(action);
  });
});

describe("a restored database that is used already", () => {
  const none = { customers: new Map(), keys: new Map() };

  it("keeps a key that was rotated or made in it", () => {
    const later = state({ madeAt: new Date("2026-11-22T00:00:01Z") });
    expect(withdrawals(stateAt(SINCE, later, []), state({ key: null }), [entry("key.rotate", "main (012345…)")])).toEqual([]);
    expect(withdrawalsOfAudit(stateAt(SINCE, later, []), [entry("key.rotate", "main (ffffff…)")]).found).toEqual([]);
  });

  it("loses a customer that was created before it was made, and deleted since", () => {
    const audit = [{ ...entry("customer.create", "Acme"), time: "2026-11-21T00:00:00Z" }, entry("customer.delete", "Acme")];
    expect(withdrawals(stateAt(SINCE, state(), audit), none, audit)).toMatchObject([{ kind: "customer deleted" }]);
  });

  it("keeps a customer that was created in it, and one whose suspension has ended", () => {
    expect(withdrawals(stateAt(SINCE, state(), [entry("customer.create", "Acme")]), none, [entry("customer.create", "Acme")])).toEqual([]);
    const ended = [entry("customer.suspend", "Acme"), entry("customer.resume", "Acme")];
    expect(withdrawals(state(), state({ customer: { status: "suspended" } }), ended)).toEqual([]);
  });
});

describe("what the audit alone says was withdrawn", () => {
  it.each([
    [
      "a deletion, and not the keys that went with it",
      [entry("key.revoke", "main (012345…)"), entry("customer.delete", "Acme: done")],
      ["customer deleted"],
    ],
    ["a suspension", [entry("customer.suspend", "Acme")], ["customer suspended"]],
    ["no suspension that ended", [entry("customer.suspend", "Acme"), entry("customer.resume", "Acme")], []],
    ["a revocation of this key", [entry("key.revoke", "main (012345…)")], ["key revoked"]],
    ["no revocation of another key of the label", [entry("key.revoke", "main (ffffff…)")], []],
    ["a rotation to another key", [entry("key.rotate", "main (ffffff…)")], ["key revoked"]],
    ["no rotation to this key", [entry("key.rotate", "main (012345…)")], []],
  ])("is %s", (_, audit, kinds) => {
    expect(withdrawalsOfAudit(state(), audit).found.map(({ kind }) => kind)).toEqual(kinds);
  });

  it("leaves to the operator what it says no amount of", () => {
    const limited = entry("scope.revoke", "main: realtime");
    expect(withdrawalsOfAudit(state(), [limited, entry("key.create", "x (1…)")])).toEqual({ found: [], byHand: [limited] });
  });
});
