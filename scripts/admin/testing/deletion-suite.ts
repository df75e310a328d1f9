import { randomUUID } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as v from "valibot";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { openLeasedBytes } from "../../../shared/budgets/leased-bytes.ts";
import { openWarehouse } from "../../../shared/google/bigquery.ts";
import { firestore } from "../../../shared/google/firestore.ts";
import { NoRow, statement } from "../../../shared/google/statement.ts";
import { openExports } from "../../../shared/google/storage.ts";
import { begin, newJob } from "../../../shared/jobs/job-state.ts";
import { openJobs } from "../../../shared/jobs/jobs.ts";
import type { LocalCustomer } from "../local/customers.ts";
import { addHeadcount, exportState, inventory, newestMonitored } from "./inventory.ts";
import { withoutDatasetDeletes } from "./no-dataset-deletes.ts";
import {
  admin,
  adminJson,
  call,
  flushStreamed,
  giveDatasets,
  keyOf,
  listFolder,
  login,
  newCustomer,
  tokenOf,
  underTest,
} from "./service-under-test.ts";

const Saved = v.object({ id: v.string() });
const Submitted = v.object({ job_id: v.string() });
const Headcounts = v.object({ rows: v.array(v.unknown()) });
const Removed = v.object({ removed: v.record(v.string(), v.number()) });

const tallinn = { name: "Tallinn", type: "admin_level_2", ids: [784], country_code: "EST" };
const harbour = {
  name: "Port",
  type: "custom_polygon",
  geometry: "POLYGON((24.73 59.43, 24.76 59.43, 24.76 59.445, 24.73 59.445, 24.73 59.43))",
};

function odm() {
  const day = (back: number) => new Date(Date.now() - back * 86_400_000).toISOString().slice(0, 10);
  const grid = { origin_geo_type: "grid_1000m", destination_geo_type: "grid_1000m", country_code: "EST" };
  return { agg_type: "odm", measure: "trips", ...grid, start_time: day(4), end_time: day(3), full: true };
}

async function submit(customer: LocalCustomer, idempotencyKey: string): Promise<string> {
  const answer = await call("data", "POST", "/data-agg", keyOf(customer, "storage"), odm(), { "idempotency-key": idempotencyKey });
  return v.parse(Submitted, answer.body).job_id;
}

/** Creates a customer that owns something of every kind. Returns it with the id of its completed job. */
async function furnished(name: string) {
  const customer = await newCustomer(name);
  const key = keyOf(customer, "storage");
  await giveDatasets(underTest().config, customer.uid);
  for (const map of [tallinn, harbour]) {
    const { id } = v.parse(Saved, (await call("users", "POST", "/admin/maps", key, map)).body);
    await call("data", "POST", "/admin/realtime", key, { map_id: id, enable: true });
  }
  // Each is measured once when it is enabled; the next tick brings that into the customer's tables.
  const measured = async () => v.parse(Headcounts, (await call("data", "GET", "/admin/realtime/data", key)).body).rows.length;
  await vi.waitFor(async () => expect(await measured()).toBe(2), { timeout: 20_000, interval: 50 });
  await call("users", "POST", "/admin/maps", key, { ...tallinn, name: "Not monitored" });
  await openLeasedBytes(underTest().config).add(customer.uid, new Date(), 1);
  const job = await submit(customer, "the first");
  const status = async () => (await call("data", "GET", `/data-agg/status/${job}`, key)).body;
  await vi.waitFor(async () => expect(await status()).toMatchObject({ status: "completed" }), { timeout: 20_000, interval: 50 });
  return { customer, job };
}

/** Tests of `customers delete`. */
export function deletionSuite(): void {
  describe("customers delete", () => {
    it("removes everything of a customer, running jobs included, and leaves other customers unchanged", async () => {
      const { customer, job } = await furnished("To be deleted");
      const { customer: other, job: othersJob } = await furnished("To be kept");
      await admin(["tick"]);
      const token = await tokenOf(keyOf(customer, "storage"));
      const othersToken = await tokenOf(keyOf(other, "storage"));
      const others = await inventory(other.uid, [othersJob]);
      for (const [kind, count] of Object.entries(others)) expect(kind === "mapChanges" || count > 0, kind).toBe(true);
      const running = await Promise.all(Array.from({ length: 8 }, (_, index) => submit(customer, `running ${index}`)));
      const jobs = [job, ...running];

      const { removed } = await adminJson(Removed, "customers", "delete", customer.uid, "--yes");
      expect(removed).toMatchObject({ keys: 3, serviceAccounts: 2, jobs: 9, maps: 3, headcounts: 4, tables: 2, datasets: 2, snapshots: 1 });
      const left = await inventory(customer.uid, jobs);
      expect({ ...left, monitoredRows: 0 }).toEqual(Object.fromEntries(Object.keys(left).map((kind) => [kind, 0])));
      expect(await newestMonitored(customer.uid)).toEqual(Array(2).fill({ name: "", is_monitored: false }));
      for (const id of running) expect(await exportState(id)).toMatch(/DONE|never started/);
      for (const label of ["admin", "storage", "warehouse"]) expect(await login(keyOf(customer, label))).toBe(401);
      expect(await listFolder(customer.uid, token)).toBe(401);

      await admin(["tick"]);
      expect((await inventory(customer.uid, jobs)).headcounts).toBe(0);
      expect({ ...(await inventory(other.uid, [othersJob])), headcounts: 4, copiedHeadcounts: 8 }).toEqual(others);
      expect([await login(keyOf(other, "storage")), await listFolder(other.uid, othersToken)]).toEqual([200, 200]);

      // BigQuery cannot delete recently streamed rows yet, also where the operator's clock is ahead. A later run removes them.
      const later = { now: () => new Date(Date.now() + 6 * 3_600_000) };
      const ahead = await admin(["customers", "delete", customer.uid, "--yes"], later);
      expect(ahead.failure).toBe(undefined);
      expect(ahead.notes.join("\n")).toMatch(/rows of its monitored maps are too recent for BigQuery to delete/);
      await flushStreamed();
      expect((await admin(["customers", "delete", customer.uid, "--yes"], later)).failure).toBe(undefined);
      expect(await newestMonitored(customer.uid)).toEqual([]);
      expect((await admin(["customers", "delete", customer.uid, "--yes"])).failure).toMatch(/There is no customer/);
    }, 90_000);

    it("revokes the keys first, and a second run continues after a failure", async () => {
      const { customer, job } = await furnished("To be deleted in two runs");
      const directory = mkdtempSync(join(tmpdir(), "populus-admin-test-"));
      onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
      const ready: object = JSON.parse(readFileSync(join(underTest().stateDirectory, "ready.json"), "utf8"));
      writeFileSync(join(directory, "ready.json"), JSON.stringify({ ...ready, export_bucket: "no-such-bucket" }));
      const words = ["customers", "delete", customer.uid, "--yes"];
      expect((await admin([...words, "--state", directory])).failure).toMatch(/bucket does not exist/);
      expect(await login(keyOf(customer, "admin"))).toBe(401);
      const between = await inventory(customer.uid, [job]);
      expect(between).toMatchObject({ apiKeys: 0, machineAccounts: 0 });
      expect(between.files).toBeGreaterThan(0);
      expect((await admin(words)).failure).toBe(undefined);
      expect(await inventory(customer.uid, [job])).toMatchObject({ customer: 0, jobs: 0, maps: 0, files: 0, datasets: 0 });
    }, 90_000);

    it("continues in a second run if only the datasets are left", async () => {
      const customer = await newCustomer("To be deleted but for its datasets");
      const { config, ready } = underTest();
      await giveDatasets(config, customer.uid);
      const { directory, close } = await withoutDatasetDeletes();
      onTestFinished(close);
      const words = ["customers", "delete", customer.uid, "--yes"];
      expect((await admin([...words, "--state", directory])).failure).toMatch(/not now/);
      const left = { customer: 0, monitoredRows: 0, files: 0, datasets: 2 };
      expect(await inventory(customer.uid, [])).toMatchObject(left);

      // The sweeper has nothing left to do, but the deletion is unfinished. That must not keep the sweeper from other customers.
      const note = firestore(config).collection("goneCustomers").doc(customer.uid);
      await note.update({ goneAt: new Date(Date.now() - 3 * 3_600_000) });
      expect((await fetch(ready.functions["customers-sweep"] ?? "", { method: "POST" })).status).toBe(200);
      expect((await note.get()).data()).toEqual({ unfinished: true });
      expect((await admin(words)).failure).toBe(undefined);
      expect(await inventory(customer.uid, [])).toMatchObject({ ...left, datasets: 0 });
      expect((await note.get()).get("unfinished")).toBe(undefined);
      expect((await admin(words)).failure).toMatch(/There is no customer/);
    });

    it("prevents a running delivery from starting an export", async () => {
      const { customer, job } = await furnished("To be deleted under way");
      const { config } = underTest();
      const jobs = openJobs(config);
      const done = await jobs.get(job);
      if (!done) throw new Error("the job is gone");
      const [id, now] = [randomUUID(), new Date()];
      await jobs.submit(customer.uid, { now, make: (placed) => ({ ...done, ...newJob(now, placed), id, result: null }) });
      await jobs.update(id, (current) => begin(current, { attempt: 1, step: 0 }, now));
      expect((await admin(["customers", "delete", customer.uid, "--yes"])).failure).toBe(undefined);
      const uri = `gs://${config.exportBucket}/results/${customer.uid}/late-*.csv`;
      const warehouse = openWarehouse(config);
      const late = statement(NoRow, `EXPORT DATA OPTIONS (uri = '${uri}', format = 'CSV') AS SELECT 1 AS one`, {});
      await warehouse.start(`agg_${id}_1`, late, { customer: customer.uid });
      expect(await warehouse.wait(`agg_${id}_1`, late, 20_000)).toMatchObject({ state: "failed" });
      expect(await inventory(customer.uid, [id])).toMatchObject({ customer: 0, jobs: 0, files: 0 });
    });

    it("lets the sweeper remove what running work writes later, and nothing of other customers", async () => {
      const { customer, job } = await furnished("Deleted while work was running");
      const { customer: other, job: othersJob } = await furnished("To be left alone");
      const { config, ready } = underTest();
      const others = await inventory(other.uid, [othersJob]);
      expect((await admin(["customers", "delete", customer.uid, "--yes"])).failure).toBe(undefined);
      // The manifest of a delivery, and a refresh that read the monitored maps before they were removed.
      await openExports(config).writeJson(`results/${customer.uid}/${job}/odm_daily_trips/manifest.json`, {});
      const tick = new Date(Date.now() - 60_000);
      await firestore(config).collection("snapshots").doc(customer.uid).set({ tick, rows: [] });
      await addHeadcount(customer.uid, tick);
      await openLeasedBytes(config).add(customer.uid, tick, 1);
      const left = await inventory(customer.uid, [job]);
      expect(left).toMatchObject({ files: 1, snapshots: 1, headcounts: 1, leasedBytes: 1 });

      const sweep = async () => (await fetch(ready.functions["customers-sweep"] ?? "", { method: "POST" })).status;
      expect(await sweep()).toBe(200);
      expect(await inventory(customer.uid, [job]), "work for the customer may still run").toEqual(left);
      const note = firestore(config).collection("goneCustomers").doc(customer.uid);
      await note.update({ goneAt: new Date(Date.now() - 3 * 3_600_000) });
      expect(await sweep()).toBe(200);
      expect(await inventory(customer.uid, [job])).toMatchObject({
        ...{ files: 0, snapshots: 0, headcounts: 0, tables: 0, copiedHeadcounts: 0, leasedBytes: 0 },
      });
      // Rows of its maps were streamed recently: the record stays until they are deleted too.
      expect((await note.get()).exists).toBe(true);
      expect(await inventory(other.uid, [othersJob])).toEqual(others);
    }, 90_000);

    it("lets the sweeper forget a customer that has nothing left", async () => {
      const customer = await newCustomer("To be forgotten");
      const { config, ready } = underTest();
      expect((await admin(["customers", "delete", customer.uid, "--yes"])).failure).toBe(undefined);
      const note = firestore(config).collection("goneCustomers").doc(customer.uid);
      await note.update({ goneAt: new Date(Date.now() - 3 * 3_600_000) });
      expect((await fetch(ready.functions["customers-sweep"] ?? "", { method: "POST" })).status).toBe(200);
      expect((await note.get()).exists).toBe(false);
    });

    it("asks the operator to type the uid", async () => {
      const customer = await newCustomer("Careful");
      for (const answers of [["y"], ["Careful"], [`${customer.uid}x`], []]) {
        const run = await admin(["customers", "delete", customer.uid], { answers });
        expect(run.notes[0]).toMatch(new RegExp(`This permanently deletes Careful .*Type ${customer.uid} to continue`, "s"));
        expect(run.failure).toMatch(answers.length > 0 ? /Nothing was changed/ : /use --yes to skip the question/);
      }
      expect(await login(keyOf(customer, "storage"))).toBe(200);
      expect((await admin(["customers", "delete", customer.uid], { answers: [customer.uid] })).failure).toBe(undefined);
      expect(await login(keyOf(customer, "storage"))).toBe(401);
    });
  });
}
