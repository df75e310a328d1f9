import { statSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { describe, expect, it, vi } from "vitest";
import { admin, adminJson, keyOf, login, newCustomer, underTest } from "./service-under-test.ts";

const Entries = v.object({
  entries: v.array(v.looseObject({ action: v.string(), uid: v.string(), actor: v.looseObject({ kind: v.string() }) })),
});

/** Tests of `audit`. */
export function auditSuite(): void {
  describe("audit", () => {
    it("lists every action of an operator, by name, and of API keys, without secrets", async () => {
      const customer = await newCustomer();
      const { uid } = customer;
      expect(await login(keyOf(customer, "storage"))).toBe(200);
      const acts = [
        ["keys", "create", uid, "extra"],
        ["keys", "rotate", uid, "extra", "--yes"],
        ["scopes", "grant", uid, "extra", "realtime"],
        ["scopes", "revoke", uid, "country:LAT"],
        ["quotas", "set", uid, "--maps", "7"],
        ["datasets", "request", uid],
        ["keys", "revoke", uid, "extra", "--yes"],
        ["customers", "suspend", uid],
        ["customers", "resume", uid],
        ["customers", "delete", uid, "--yes"],
      ];
      for (const act of acts) expect((await admin([...act, "--operator", "Ada Lovelace"])).failure, act.join(" ")).toBe(undefined);
      const actor = { kind: "operator", name: "Ada Lovelace" };
      const { entries } = await adminJson(Entries, "audit", "--uid", uid);
      expect(entries.filter((entry) => entry.actor.kind === "operator")).toMatchObject([
        { action: "key.create", uid, actor, subject: expect.stringMatching(/^extra \([0-9a-f]{6}…\)$/) },
        { action: "key.rotate", actor },
        { action: "scope.grant", actor, subject: "extra: realtime" },
        { action: "scope.revoke", actor, subject: "customer: country:LAT" },
        { action: "quota.set", actor, subject: "maps 7" },
        { action: "dataset.request", actor, subject: "scenario B" },
        { action: "key.revoke", actor },
        { action: "customer.suspend", actor },
        { action: "customer.resume", actor },
        { action: "customer.delete", actor, subject: expect.stringContaining("begun") },
        { action: "customer.delete", actor, subject: expect.stringContaining("done") },
      ]);
      const minted = async () => (await adminJson(Entries, "audit", "--uid", uid, "--action", "token")).entries;
      // The functions write their log asynchronously.
      await vi.waitFor(async () =>
        expect(await minted()).toMatchObject([
          { action: "token.mint", actor: { kind: "key", keyLabel: "storage" }, sourceAddress: expect.any(String) },
        ]),
      );
      const { out } = await admin(["audit", "--json"]);
      expect(out).not.toMatch(/[0-9a-f]{64}|ya29\./);
      expect(statSync(join(underTest().stateDirectory, "audit.log")).mode & 0o777).toBe(0o600);
    });

    it("filters by customer, action and time", async () => {
      const [customer, other] = [await newCustomer(), await newCustomer()];
      for (const { uid } of [customer, other]) {
        await admin(["customers", "suspend", uid], { now: () => new Date("2030-01-01T00:00:00Z") });
        await admin(["customers", "resume", uid], { now: () => new Date("2030-01-02T00:00:00Z") });
      }
      const found = async (...words: string[]) => {
        const { entries } = await adminJson(Entries, "audit", ...words);
        return entries.map(({ uid, action }) => `${uid === customer.uid ? "the customer" : "another"} ${action}`);
      };
      expect(await found("--uid", customer.uid)).toEqual(["the customer customer.suspend", "the customer customer.resume"]);
      expect(await found("--uid", customer.uid, "--action", "customer.resume")).toEqual(["the customer customer.resume"]);
      expect(await found("--uid", customer.uid, "--since", "2030-01-01T12:00:00+01:00")).toEqual(["the customer customer.resume"]);
      expect(await found("--uid", customer.uid, "--action", "quota")).toEqual([]);
      // No rows would say that nothing was done.
      for (const [words, says] of [
        [["--action", "customers.suspend"], 'Unknown action "customers.suspend"; did you mean customer.suspend?'],
        [["--action", "custom"], /Unknown action "custom"; (did you mean|actions: token\.mint, )/],
        [["--uid", "A test's customer"], /There is no customer "A test's customer"; /],
        [["--uid", ""], /There is no customer ""; customers: /],
      ] as const)
        expect((await admin(["audit", ...words])).failure).toMatch(says);
      expect((await admin(["audit", "--uid", customer.uid])).out).toMatch(
        /customer\.suspend +operator an-operator +\S+ +A test's customer/,
      );
      expect((await admin(["audit", "--since", "yesterday"])).failure).toMatch(
        /"yesterday" is not a time with an offset or Z; example: 2026/,
      );
    });
  });
}
