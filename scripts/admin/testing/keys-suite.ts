import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { admin, adminJson, call, keyOf, login, newCustomer, underTest } from "./service-under-test.ts";

const Made = v.object({ uid: v.string(), keyLabel: v.string(), service: v.string(), apiKey: v.string(), rotated: v.boolean() });
const ALL = v.object({ keys: v.array(v.object({ keyLabel: v.string(), machineAccountAdmin: v.boolean() })) });

const logs = (): string =>
  ["audit.log", "functions.log", "cloud.log"].map((name) => readFileSync(join(underTest().stateDirectory, name), "utf8")).join("\n");

/** Tests of `keys …`. */
export function keysSuite(): void {
  describe("keys create", () => {
    it("creates a key that works at once with the requested scopes and is in no log", async () => {
      const { uid } = await newCustomer();
      const made = await adminJson(Made, "keys", "create", uid, "reports", "--service", "warehouse", "--country", "ee");
      expect(made).toMatchObject({ uid, keyLabel: "reports", service: "warehouse", rotated: false });
      expect((await call("users", "GET", "/users/me", made.apiKey)).status).toBe(200);
      // Neither the scope nor all the customer's countries.
      expect(await login(made.apiKey, "warehouse")).toBe(403);
      expect((await call("data", "GET", "/admin/realtime/data", made.apiKey)).status).toBe(403);
      expect((await call("data", "GET", "/geographies?country_code=NOR&geo_type=admin_level_2", made.apiKey)).status).toBe(403);
      expect((await call("users", "GET", `/users/${uid}/machine-accounts/list`, made.apiKey)).status).toBe(403);
      expect(logs()).toContain(`reports (${made.apiKey.slice(0, 6)}…)`);
      expect(logs()).not.toContain(made.apiKey.slice(0, 12));
    });

    it("gives a key an end, which lists show, and none in the past", async () => {
      const { uid } = await newCustomer();
      const end = new Date(Date.now() + 86_400_000).toISOString();
      await adminJson(Made, "keys", "create", uid, "guest", "--expires", end);
      expect((await admin(["keys", "list", uid, "--json"])).out).toContain(`"expiresAt": "${end}"`);
      expect((await admin(["keys", "create", uid, "late", "--expires", "2020-01-01T00:00:00Z"])).failure).toMatch(
        /--expires must be in the future/,
      );
    });

    it("shows the key once and nowhere afterwards", async () => {
      const { uid } = await newCustomer();
      const { out, failure } = await admin(["keys", "create", uid, "night", "--admin", "--scope", "realtime"]);
      expect(failure).toBe(undefined);
      const [key = "none"] = /[0-9a-f]{64}/.exec(out) ?? [];
      expect((await call("users", "GET", `/users/${uid}/machine-accounts/list`, key)).status).toBe(200);
      for (const words of [["keys", "list", uid], ["customers", "show", uid], ["audit"]])
        for (const form of [[], ["--json"]]) expect((await admin([...words, ...form])).out).not.toMatch(/[0-9a-f]{64}/);
    });

    it.each([
      ["a label that has a key", ["storage"], /already has a key .*; npm run admin -- keys rotate \S+ storage replaces it/],
      ["an invalid label", ["Night run"], /"Night run" must be 1 to 63 lower-case letters/],
      ["a country that the customer does not have", ["x", "--country", "LTU"], /does not have LTU; it has EST, LAT, NOR/],
      ["an unknown country", ["x", "--country", "ATL"], /Unknown country "ATL"; the service has EST, LAT, LTU, NOR/],
      ["an unknown scope", ["x", "--scope", "everything"], /--scope must be realtime/],
      ["an unknown profile", ["x", "--service", "compute"], /--service must be storage or warehouse, not "compute"/],
    ])("rejects %s and creates nothing", async (_what, words, says) => {
      const customer = await newCustomer();
      expect((await admin(["keys", "create", customer.uid, ...words])).failure).toMatch(says);
      expect((await adminJson(ALL, "keys", "list", customer.uid)).keys).toHaveLength(3);
      expect(await login(keyOf(customer, "storage"))).toBe(200);
    });

    it("says that the key of a suspended customer does not work yet", async () => {
      const { uid } = await newCustomer();
      await admin(["customers", "suspend", uid]);
      const run = await admin(["keys", "create", uid, "early", "--json"]);
      expect(run.notes.join()).toContain(`this key gets 403 until you run npm run admin -- customers resume ${uid}`);
      expect(await login(v.parse(Made, JSON.parse(run.out)).apiKey)).toBe(403);
    });
  });

  describe("keys rotate", () => {
    it("returns a key with the same scopes; the old key stops working", async () => {
      const customer = await newCustomer();
      const { apiKey, rotated } = await adminJson(Made, "keys", "rotate", customer.uid, "admin", "--yes");
      expect([rotated, await login(apiKey, "warehouse"), await login(keyOf(customer, "admin"))]).toEqual([true, 200, 401]);
      expect((await call("users", "GET", `/users/${customer.uid}/machine-accounts/list`, apiKey)).status).toBe(200);
    });

    it("asks first and does nothing without a yes", async () => {
      const customer = await newCustomer();
      for (const answers of [["n"], [""], []]) {
        const run = await admin(["keys", "rotate", customer.uid, "storage"], { answers });
        expect(run.notes).toEqual([expect.stringContaining("stops working at once. Rotate it? [y/N]")]);
        expect(run.failure).toMatch(answers.length > 0 ? /Nothing was changed/ : /use --yes to skip the question/);
      }
      expect(await login(keyOf(customer, "storage"))).toBe(200);
      expect((await admin(["keys", "rotate", customer.uid, "storage"], { answers: ["y"] })).failure).toBe(undefined);
      expect(await login(keyOf(customer, "storage"))).toBe(401);
    });

    it("names the known labels for an unknown label", async () => {
      const { uid } = await newCustomer("Acme");
      expect((await admin(["keys", "rotate", uid, "storag"])).failure).toMatch(
        /Acme has no key with the label "storag"; did you mean storage\?/,
      );
      expect((await admin(["keys", "revoke", uid, "etl"])).failure).toMatch(/its labels are: admin, storage, warehouse$/);
    });

    it("leaves exactly one valid key if four operators and four clients rotate at once", async () => {
      const customer = await newCustomer();
      const { uid } = customer;
      const byOperators = Array.from({ length: 4 }, () => adminJson(Made, "keys", "rotate", uid, "storage", "--yes"));
      const byClients = Array.from({ length: 4 }, async () => {
        const answer = await call("users", "POST", `/users/${uid}/machine-accounts`, keyOf(customer, "admin"), { keyLabel: "storage" });
        return v.parse(v.pick(Made, ["apiKey", "rotated"]), answer.body);
      });
      const made = await Promise.all([...byOperators, ...byClients]);
      expect(made.map(({ rotated }) => rotated)).toEqual(Array(8).fill(true));
      const answers = await Promise.all([keyOf(customer, "storage"), ...made.map(({ apiKey }) => apiKey)].map((key) => login(key)));
      expect(answers.sort()).toEqual([200, ...Array(8).fill(401)]);
    });
  });

  describe("keys revoke", () => {
    it("revokes a key at once, removes its label, and keeps the others", async () => {
      const customer = await newCustomer();
      const run = await admin(["keys", "revoke", customer.uid, "storage"], { answers: ["y"] });
      expect([run.failure, await login(keyOf(customer, "storage")), await login(keyOf(customer, "warehouse"))]).toEqual([
        undefined,
        401,
        200,
      ]);
      const { keys } = await adminJson(ALL, "keys", "list", customer.uid);
      expect(keys.map(({ keyLabel }) => keyLabel)).toEqual(["admin", "warehouse"]);
    });

    it("asks again before the last key with admin access; without a yes the key stays", async () => {
      const customer = await newCustomer();
      const words = ["keys", "revoke", customer.uid, "admin"];
      const kept = await admin(words, { answers: ["y", "n"] });
      expect(kept.notes.join("\n")).toContain("the customer's last key with machine-account admin access");
      expect([kept.failure, await login(keyOf(customer, "admin"))]).toEqual(["keys revoke: Nothing was changed", 200]);
      const gone = await admin([...words, "--yes"]);
      expect(gone.notes.join("\n")).toContain("the customer's last key with machine-account admin access");
      expect([gone.failure, await login(keyOf(customer, "admin"))]).toEqual([undefined, 401]);
    });

    it("leaves one admin key if both are revoked at once without confirmation", async () => {
      const customer = await newCustomer();
      const { apiKey } = await adminJson(Made, "keys", "create", customer.uid, "second", "--admin");
      const revoke = (label: string) => admin(["keys", "revoke", customer.uid, label], { answers: ["y", "n"] });
      const runs = await Promise.all([revoke("admin"), revoke("second")]);
      expect(runs.filter(({ failure }) => failure === undefined)).toHaveLength(1);
      expect((await Promise.all([login(keyOf(customer, "admin")), login(apiKey)])).sort()).toEqual([200, 401]);
    });
  });
}
