import { BigQuery } from "@google-cloud/bigquery";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { admin, adminJson, call, keyOf, login, newCustomer, underTest } from "./service-under-test.ts";

const Granted = v.object({
  service: v.string(),
  scopes: v.array(v.string()),
  countries: v.array(v.string()),
  machineAccountAdmin: v.boolean(),
});
const Countries = v.object({ countries: v.array(v.string()), defaultCountry: v.string() });
const Keys = v.object({ keys: v.array(v.object({ keyLabel: v.string(), countries: v.array(v.string()) })) });
const Saved = v.object({ id: v.string() });

const geographies = (key: string, country: string) =>
  call("data", "GET", `/geographies?country_code=${country}&geo_type=admin_level_2&limit=1`, key);

/** Tests of `scopes …`: the grants of keys and of their customers. */
export function scopesSuite(): void {
  describe("a scope of a key", () => {
    it.each([
      ["realtime", "storage", async (key: string) => (await call("data", "GET", "/admin/realtime/data", key)).status],
      ["warehouse", "storage", (key: string) => login(key, "warehouse")],
      [
        "machine-account-admin",
        "warehouse",
        async (key: string, uid: string) => (await call("users", "GET", `/users/${uid}/machine-accounts/list`, key)).status,
      ],
      ["country:NOR", "storage", async (key: string) => (await geographies(key, "NOR")).status],
    ])("%s is granted and revoked from the next request on", async (scope, label, ask) => {
      const customer = await newCustomer();
      const { uid } = customer;
      const change = async (verb: string) => {
        await adminJson(Granted, "scopes", verb, uid, label, scope);
        return ask(keyOf(customer, label), uid);
      };
      expect([await change("revoke"), await change("grant"), await change("revoke")]).toEqual([403, 200, 403]);
      expect((await call("data", "GET", "/openapi.json", keyOf(customer, label))).status).toBe(200);
    });

    it("is shown by the machine-account list as well", async () => {
      const customer = await newCustomer();
      await adminJson(Granted, "scopes", "revoke", customer.uid, "storage", "realtime");
      const { body } = await call("users", "GET", `/users/${customer.uid}/machine-accounts/list`, keyOf(customer, "admin"));
      expect(body).toMatchObject({
        machineAccounts: [{}, { keyLabel: "storage", scopes: [] }, { keyLabel: "warehouse", scopes: ["realtime"] }],
      });
    });

    it.each([
      ["an unknown scope", ["grant", "storage", "realtme"], /Unknown scope "realtme"; did you mean realtime\?/],
      ["no scope", ["grant", "storage"], /Which scopes\?/],
      [
        "a country that the customer does not have",
        ["grant", "storage", "country:LTU"],
        /does not have LTU; first run npm run admin -- scopes grant \S+ country:LTU/,
      ],
      ["an unknown country", ["grant", "storage", "country:ATL"], /Unknown country "ATL"/],
      ["an unknown label", ["grant", "storge", "realtime"], /did you mean storage\?/],
      [
        "a default country of a key",
        ["revoke", "storage", "realtime", "--default-country", "EST"],
        /--default-country applies to the customer/,
      ],
    ])("rejects %s and changes nothing", async (_what, [verb = "", ...words], says) => {
      const customer = await newCustomer();
      const before = await adminJson(Keys, "keys", "list", customer.uid);
      expect((await admin(["scopes", verb, customer.uid, ...words])).failure).toMatch(says);
      expect(await adminJson(Keys, "keys", "list", customer.uid)).toEqual(before);
    });

    it("asks before it removes the last machine-account admin access", async () => {
      const customer = await newCustomer();
      const words = ["scopes", "revoke", customer.uid, "admin", "machine-account-admin", "realtime"];
      const list = async () =>
        (await call("users", "GET", `/users/${customer.uid}/machine-accounts/list`, keyOf(customer, "admin"))).status;
      const kept = await admin(words, { answers: ["no"] });
      expect([kept.failure, await list()]).toEqual(["scopes revoke: Nothing was changed", 200]);
      expect((await call("data", "GET", "/admin/realtime/data", keyOf(customer, "admin"))).status).toBe(200);
      expect([(await admin([...words, "--yes"])).failure, await list()]).toEqual([undefined, 403]);
    });
  });

  describe("a country of a customer", () => {
    it("limits the countries of its keys: a key can have a granted country and loses a revoked one", async () => {
      const customer = await newCustomer("Bounded", ["EST"]);
      const { uid } = customer;
      const countries = async () => (await adminJson(Keys, "keys", "list", uid)).keys.map((key) => key.countries.join());
      expect((await adminJson(Countries, "scopes", "grant", uid, "country:LV")).countries).toEqual(["EST", "LAT"]);
      expect(await countries()).toEqual(["EST", "EST", "EST"]);
      await adminJson(Granted, "scopes", "grant", uid, "storage", "country:LAT");
      expect((await geographies(keyOf(customer, "storage"), "LAT")).status).toBe(200);
      await adminJson(Countries, "scopes", "revoke", uid, "country:LAT");
      expect((await geographies(keyOf(customer, "storage"), "LAT")).status).toBe(403);
      expect(await countries()).toEqual(["EST", "EST", "EST"]);
    });

    it("can be revoked as the default only if another default is named, for its keys too", async () => {
      const customer = await newCustomer();
      const words = ["scopes", "revoke", customer.uid, "country:EST"];
      expect((await admin(words)).failure).toMatch(/EST is the default country of [^;]*; name another with --default-country: LAT, NOR/);
      expect((await geographies(keyOf(customer, "storage"), "EST")).status).toBe(200);
      expect(await adminJson(Countries, ...words, "--default-country", "NO")).toEqual({ countries: ["LAT", "NOR"], defaultCountry: "NOR" });
      const { body } = await call("data", "GET", "/geographies?geo_type=admin_level_2&limit=1", keyOf(customer, "storage"));
      expect(body).toMatchObject({ geographies: [{ country_code: "NOR" }] });
    });

    it("is no longer measured in monitored maps once it is revoked", async () => {
      const customer = await newCustomer();
      const key = keyOf(customer, "storage");
      const map = { name: "Tallinn", type: "admin_level_2", ids: [784], country_code: "EST" };
      const { id } = v.parse(Saved, (await call("users", "POST", "/admin/maps", key, map)).body);
      await call("data", "POST", "/admin/realtime", key, { map_id: id, enable: true });
      await adminJson(Countries, "scopes", "revoke", customer.uid, "country:EST", "--default-country", "LAT");
      const { ready } = underTest();
      const bigquery = new BigQuery({ projectId: ready.project, apiEndpoint: ready.bigquery_endpoint });
      const [rows] = await bigquery.query({
        query: "SELECT version, is_monitored, country_code, geo_ids FROM `realtime.monitored_maps` WHERE map_id = @id ORDER BY version",
        params: { id },
      });
      expect(rows).toMatchObject([{ country_code: "EST" }, { is_monitored: true, country_code: null, geo_ids: [] }]);
    });
  });
}
