import { BigQuery } from "@google-cloud/bigquery";
import { OAuth2Client } from "google-auth-library";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { openLeasedBytes } from "../../../shared/budgets/leased-bytes.ts";
import { admin, adminJson, call, keyOf, newCustomer, tokenOf, underTest } from "./service-under-test.ts";

const Budgets = v.object({ customers: v.array(v.object({ uid: v.string(), bytesPerDay: v.number(), bytesToday: v.number() })) });
const Limits = v.object({ limits: v.record(v.string(), v.number()) });
const map = { name: "A map", type: "admin_level_2", ids: [784] };

/** Tests of `quotas …` and `datasets …`. */
export function termsSuite(): void {
  describe("quotas", () => {
    it("apply from the next request on; quotas that are not named stay unchanged", async () => {
      const customer = await newCustomer();
      const before = await adminJson(Limits, "quotas", "show", customer.uid);
      const { limits } = await adminJson(
        Limits,
        "quotas",
        "set",
        customer.uid,
        "--maps",
        "1",
        "--geometry-mib",
        "2",
        "--running-jobs",
        "7",
      );
      expect(limits).toEqual({ ...before.limits, maps: 1, geometryBytes: 2 * 1024 ** 2, runningJobs: 7 });
      const save = async () => (await call("users", "POST", "/admin/maps", keyOf(customer, "storage"), map)).status;
      expect([await save(), await save()]).toEqual([201, 429]);
      expect((await admin(["quotas", "set", customer.uid, "--maps", "2"])).failure).toBe(undefined);
      expect(await save()).toBe(201);
      expect((await admin(["quotas", "show", customer.uid])).out).toMatch(/^ {3}maps +2 {2}maps *$/m);
    });

    it("tell what each customer has read today of what it may read a day", async () => {
      const [reader, other] = [await newCustomer(), await newCustomer()];
      await admin(["quotas", "set", reader.uid, "--gb-per-day", "3"]);
      await openLeasedBytes(underTest().config).add(reader.uid, new Date(), 1_500_000_000);
      const { customers } = await adminJson(Budgets, "quotas", "list");
      const of = (uid: string) => customers.find((customer) => customer.uid === uid);
      expect(of(reader.uid)).toMatchObject({ bytesPerDay: 3e9, bytesToday: 1.5e9 });
      expect(of(other.uid)).toMatchObject({ bytesPerDay: 200e9, bytesToday: 0 });
      const { out } = await admin(["quotas", "list"]);
      expect(out).toMatch(new RegExp(`${reader.uid} .* 0 +500000 +3 +1\\.5 *$`, "m"));
      expect(out).toMatch(/^ *Of the 1,099.51 GB that a tick may read, [\d.]+ GB are promised \(0\.\d %\)$/m);
      const set = await admin(["quotas", "set", other.uid, "--monitored-cells", "7000000000"]);
      expect(set.notes.join("\n")).toMatch(/The tick is nearly sold out/);
      const oversold = await admin(["quotas", "list"]);
      expect(oversold.notes.join("\n")).toMatch(/The tick is nearly sold out/);
      expect((await admin(["quotas", "set", other.uid, "--monitored-cells", "500000"])).notes).toEqual([]);
    });

    it("allow at most as many maps as one document of headcounts holds", async () => {
      const { uid } = await newCustomer();
      const { limits } = await adminJson(Limits, "quotas", "set", uid, "--maps", "1000");
      const more = await admin(["quotas", "set", uid, "--maps", "1001", "--running-jobs", "9"]);
      expect(more.failure).toMatch(/--maps must be at most 1000 \(the headcounts of all maps are in one document\), not 1001/);
      expect(await adminJson(Limits, "quotas", "show", uid)).toMatchObject({ limits });
    });

    it.each(["0", "-1", "1.5", "many", "1e3", ""])("reject %j", async (value) => {
      const { uid } = await newCustomer();
      const before = await adminJson(Limits, "quotas", "show", uid);
      expect((await admin(["quotas", "set", uid, `--maps=${value}`])).failure).toMatch(/--maps must be a whole number of at least 1/);
      expect((await admin(["quotas", "set", uid])).failure).toMatch(/Which quota\? --running-jobs N, --unfinished-jobs N, /);
      expect(await adminJson(Limits, "quotas", "show", uid)).toEqual(before);
    });
  });

  describe("datasets request", () => {
    it("creates a dataset that only the customer's own warehouse token opens", async () => {
      const { ready } = underTest();
      const [customer, other] = [await newCustomer(), await newCustomer()];
      await admin(["datasets", "request", other.uid]);
      const Requested = v.object({ dataset: v.string() });
      expect(await adminJson(Requested, "datasets", "request", customer.uid)).toEqual({ dataset: `customer_${customer.uid}` });
      expect(await adminJson(v.looseObject({}), "customers", "show", customer.uid)).toMatchObject({
        personalDataset: `customer_${customer.uid}`,
      });
      const authClient = new OAuth2Client();
      authClient.setCredentials({
        access_token: await tokenOf(keyOf(customer, "warehouse"), "warehouse"),
        expiry_date: Date.now() + 3_600_000,
      });
      const bigquery = new BigQuery({ projectId: ready.project, apiEndpoint: ready.bigquery_endpoint, authClient });
      const read = (uid: string) =>
        bigquery.query(`SELECT target_name FROM \`customer_${uid}.realtime_data\` WHERE timestamp > TIMESTAMP '2026-01-01'`);
      expect((await read(customer.uid))[0]).toEqual([]);
      await expect(read(other.uid)).rejects.toThrow(/Access Denied/);
    });

    it("names the scopes that the customer needs to use it", async () => {
      const { uid } = await newCustomer();
      expect((await admin(["datasets", "request", uid])).notes).toEqual([]);
      for (const label of ["admin", "warehouse"]) await admin(["scopes", "revoke", uid, label, "realtime"]);
      expect((await admin(["datasets", "request", uid])).notes.join()).toContain(`scopes grant ${uid} LABEL warehouse realtime`);
      expect((await admin(["datasets", "request", uid, "--scenario", "D"])).failure).toMatch(/--scenario must be one of A, B, C/);
    });
  });
}
