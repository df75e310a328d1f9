import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { admin, adminJson, keyOf, listFolder, login, newCustomer, tokenOf } from "./service-under-test.ts";

const Customer = v.object({
  uid: v.string(),
  name: v.string(),
  status: v.string(),
  countries: v.array(v.string()),
  defaultCountry: v.string(),
});
const Made = v.object({ apiKey: v.string() });

/** Tests of `customers …`, except deletion. */
export function customersSuite(): void {
  describe("customers create", () => {
    it("creates a customer that works at once and reaches only its own folder", async () => {
      const words = ["--name", "Ørsted & Søn", "--country", "no", "--country", "EST", "--default-country", "EE"];
      const { uid, ...customer } = await adminJson(Customer, "customers", "create", ...words);
      expect(customer).toEqual({ name: "Ørsted & Søn", status: "active", countries: ["NOR", "EST"], defaultCountry: "EST" });
      const { apiKey } = await adminJson(Made, "keys", "create", uid, "first");
      const token = await tokenOf(apiKey);
      expect(await listFolder(uid, token)).toBe(200);
      expect(await listFolder((await newCustomer()).uid, token)).toBe(403);
    });

    it.each([
      ["no name", ["--country", "EST"], /--name is missing/],
      [
        "an invisible character in its name",
        ["--name", "Ac\u202eme", "--country", "EST"],
        /--name must hold no control, .* character 3 is U\+202E/,
      ],
      ["no country", ["--name", "Acme"], /--country is missing; the service has EST, LAT, LTU, NOR/],
      ["an unknown country", ["--name", "Acme", "--country", "Estonia"], /Unknown country "Estonia"/],
      [
        "a default country that the customer does not have",
        ["--name", "Acme", "--country", "EST", "--default-country", "NOR"],
        /NOR must be one of the customer's countries: EST/,
      ],
      ["a superfluous argument", ["Acme"], /Unexpected argument "Acme"; usage: npm run admin -- customers create$/],
    ])("rejects %s", async (_what, words, says) => {
      const count = async () => (await adminJson(v.object({ customers: v.array(Customer) }), "customers", "list")).customers.length;
      const before = await count();
      expect((await admin(["customers", "create", ...words])).failure).toMatch(says);
      expect(await count()).toBe(before);
    });
  });

  describe("customers list and show", () => {
    it("print tables, or one JSON document with --json", async () => {
      const { uid } = await newCustomer("A customer to be seen");
      expect((await admin(["customers", "list"])).out).toMatch(
        new RegExp(`^ {3}${uid}  A customer to be seen +active  EST, LAT, NOR`, "m"),
      );
      const { out } = await admin(["customers", "show", uid]);
      for (const line of [
        /name +A customer to be seen/,
        /countries +EST, LAT, NOR \(default EST\)/,
        /storage +[0-9a-f]{6}… +realtime +EST, LAT, NOR/,
      ])
        expect(out).toMatch(line);
      const shown = await adminJson(v.looseObject({}), "customers", "show", uid);
      expect(shown).toMatchObject({
        uid,
        limits: { runningJobs: 5 },
        usage: { maps: 0 },
        keys: [{ keyLabel: "admin" }, { keyLabel: "storage" }, {}],
      });
    });

    it("suggest a customer for an unknown uid", async () => {
      const { uid } = await newCustomer("Only one of this name");
      const show = async (word: string) => (await admin(["customers", "show", word])).failure;
      expect(await show("only one of this name")).toBe(
        `customers show: There is no customer "only one of this name"; did you mean ${uid}?`,
      );
      expect(await show(uid.slice(0, -1))).toContain(`did you mean ${uid}?`);
      for (const odd of ["zzzzzzzzzzzz", "a/b", "..", "__x__"]) expect(await show(odd)).toMatch(/There is no customer "\S+"; customers: /);
    });
  });

  describe("customers suspend", () => {
    it("disables keys and minted tokens at once, and resume enables both again", async () => {
      const [customer, other] = [await newCustomer(), await newCustomer()];
      const token = await tokenOf(keyOf(customer, "storage"));
      const otherToken = await tokenOf(keyOf(other, "storage"));
      const stand = async () => [
        await login(keyOf(customer, "storage")),
        await login(keyOf(customer, "admin")),
        await listFolder(customer.uid, token),
      ];
      expect(await stand()).toEqual([200, 200, 200]);
      const { out } = await admin(["customers", "suspend", customer.uid]);
      expect(out).toMatch(new RegExp(`is suspended: its keys get 403, and storage-${customer.uid}@\\S+ and warehouse-\\S+ are disabled`));
      expect(await stand()).toEqual([403, 403, 401]);
      expect([await login(keyOf(other, "storage")), await listFolder(other.uid, otherToken)]).toEqual([200, 200]);
      expect((await admin(["customers", "activate", customer.uid])).failure).toMatch(/is suspended; npm run admin -- customers resume/);
      expect((await admin(["customers", "resume", customer.uid])).failure).toBe(undefined);
      expect(await stand()).toEqual([200, 200, 200]);
    });

    it("is idempotent, as are resume and activate", async () => {
      const { uid } = await newCustomer();
      for (const verb of ["suspend", "suspend", "resume", "resume", "activate"])
        expect((await admin(["customers", verb, uid])).failure, verb).toBe(undefined);
      expect(await adminJson(Customer, "customers", "show", uid)).toMatchObject({ status: "active" });
    });
  });
}
