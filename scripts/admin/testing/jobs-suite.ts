import { randomUUID } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as v from "valibot";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { newOdmJob } from "../../../shared/aggregation/testing/job-path.ts";
import { firestore } from "../../../shared/google/firestore.ts";
import { begin, complete, failUndeliverable } from "../../../shared/jobs/job-state.ts";
import { type Job, openJobs } from "../../../shared/jobs/jobs.ts";
import type { LocalCustomer } from "../local/customers.ts";
import { admin, adminJson, call, keyOf, newCustomer, underTest } from "./service-under-test.ts";

const FIRST = { attempt: 1, step: 0 };
const Listed = v.object({ jobs: v.array(v.looseObject({ id: v.string(), uid: v.string(), status: v.string() })) });
const Replayed = v.object({ jobId: v.string(), replayedAs: v.string(), uid: v.string(), status: v.string() });
const Shown = v.looseObject({ status: v.string(), error: v.nullable(v.string()), replayedAs: v.nullable(v.string()) });

type End = (job: Job) => Job | undefined;
const fail: End = (job) => failUndeliverable(job, FIRST, new Date());

/** Creates a job without a delivery and finishes it with `end`. Returns its id. */
async function endedJob({ uid }: LocalCustomer, end: End = fail, full = false): Promise<string> {
  const jobs = openJobs(underTest().config);
  const [id, now] = [randomUUID(), new Date()];
  await jobs.submit(uid, { now, make: (placed) => newOdmJob(id, uid, full, placed, now) });
  await jobs.update(id, (job) => begin(job, FIRST, now));
  await jobs.transition({ id, uid }, end, now);
  return id;
}

async function statusOf(customer: LocalCustomer, id: string): Promise<unknown> {
  return (await call("data", "GET", `/data-agg/status/${id}`, keyOf(customer, "storage"))).body;
}

async function idsOf({ uid }: LocalCustomer, ...filter: string[]): Promise<string[]> {
  return (await adminJson(Listed, "jobs", "list", "--customer", uid, ...filter)).jobs.map(({ id }) => id);
}

/** Tests of `jobs …`. */
export function jobsSuite(): void {
  describe("jobs list and show", () => {
    it("list the jobs of all customers, newest first, filtered by customer and status", async () => {
      const [customer, other] = [await newCustomer(), await newCustomer()];
      const failed = await endedJob(customer);
      const done = await endedJob(customer, (job) => complete(job, FIRST, new Date()));
      const others = await endedJob(other);
      expect(await idsOf(customer)).toEqual([done, failed]);
      expect(await idsOf(customer, "--limit", "1")).toEqual([done]);
      expect(await idsOf(customer, "--status", "failed")).toEqual([failed]);
      const all = await adminJson(Listed, "jobs", "list", "--status", "failed");
      expect(all.jobs.map(({ id }) => id).slice(0, 2)).toEqual([others, failed]);
      expect((await adminJson(Listed, "jobs", "list")).jobs[0]).toMatchObject({ id: others, uid: other.uid });
      expect((await admin(["jobs", "list", "--customer", customer.uid])).out).toMatch(
        new RegExp(`^ {3}${failed}  ${customer.uid}  failed +odm EST .*could not be processed`, "m"),
      );
      expect((await admin(["jobs", "list", "--status", "broken"])).failure).toMatch(/--status must be one of queued, .*"broken"/);
    });

    it("show a job without its results", async () => {
      const customer = await newCustomer("Whose job it is");
      const id = await endedJob(customer, fail, true);
      const { out } = await admin(["jobs", "show", id]);
      for (const line of [
        new RegExp(`^ +customer +${customer.uid} \\(Whose job it is\\)$`, "m"),
        /^ +status +failed 0 %$/m,
        /^ +work +attempt 1, step 0$/m,
        /^ +request +\{.*"agg_type":"odm",/m,
        new RegExp(`^ +folder +gs://local-exports/results/${customer.uid}/${id}/odm_daily_trips/$`, "m"),
        /^ +replayed as +–$/m,
      ])
        expect(out).toMatch(line);
      expect(await adminJson(Shown, "jobs", "show", id)).toMatchObject({ status: "failed", replayedAs: null });
    });

    it("reject an unknown id and a job that cannot be read", async () => {
      const customer = await newCustomer();
      for (const id of [randomUUID(), "../x"]) expect((await admin(["jobs", "show", id])).failure).toMatch(/There is no job ".*jobs list/);
      const id = await endedJob(customer);
      const document = firestore(underTest().config).collection("jobs").doc(id);
      await document.update({ progress: "a lot" });
      expect((await admin(["jobs", "show", id])).failure).toMatch(new RegExp(`The stored job ${id} cannot be read: progress: `));
      await document.delete();
    });
  });

  describe("jobs replay", () => {
    it("runs a failed job again as one new job, even if several operators replay it repeatedly", async () => {
      const customer = await newCustomer();
      const id = await endedJob(customer);
      const words = ["jobs", "replay", id];
      const asked = await Promise.all([1, 2, 3].map(() => adminJson(Replayed, ...words)));
      const [{ replayedAs } = { replayedAs: "" }] = asked;
      expect(new Set(asked.map((one) => one.replayedAs))).toEqual(new Set([replayedAs]));
      await vi.waitFor(async () => expect(await statusOf(customer, replayedAs)).toMatchObject({ status: "completed" }), {
        timeout: 20_000,
        interval: 50,
      });
      expect((await admin(words)).out).toBe(`${id} was already replayed as ${replayedAs}; it is completed\n`);
      expect(await idsOf(customer)).toEqual([replayedAs, id]);
      expect(await statusOf(customer, id)).toMatchObject({ status: "failed" });
      expect(await adminJson(Shown, "jobs", "show", id)).toMatchObject({ status: "failed", replayedAs });
      const [failed, again] = [await openJobs(underTest().config).get(id), await openJobs(underTest().config).get(replayedAs)];
      expect(again).toMatchObject({ request: failed?.request, keyLabel: failed?.keyLabel, uid: customer.uid });
      const audit = await admin(["audit", "--uid", customer.uid, "--action", "job.replay"]);
      expect(audit.out.split("\n").filter((line) => line.includes(`${id} as ${replayedAs}`))).toHaveLength(1);
    });

    it("waits in its customer's queue", async () => {
      const customer = await newCustomer();
      const id = await endedJob(customer);
      await firestore(underTest().config).collection("customers").doc(customer.uid).update({ "limits.runningJobs": 0 });
      const run = await admin(["jobs", "replay", id]);
      expect([run.failure, run.out]).toEqual([undefined, expect.stringContaining("waits for one of its customer's running slots")]);
      expect((await admin(["customers", "show", customer.uid])).out).toMatch(/jobs +0 running, 1 waiting/);
    });

    it("leaves the delivery to the sweeper if the operator's machine cannot reach the queue", async () => {
      const customer = await newCustomer();
      const id = await endedJob(customer);
      const directory = mkdtempSync(join(tmpdir(), "populus-admin-test-"));
      onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
      const ready: object = JSON.parse(readFileSync(join(underTest().stateDirectory, "ready.json"), "utf8"));
      writeFileSync(join(directory, "ready.json"), JSON.stringify({ ...ready, tasks_host: "127.0.0.1:9" }));
      const { failure, notes, out } = await admin(["jobs", "replay", id, "--json", "--state", directory]);
      expect([failure, notes]).toEqual([undefined, ["A delivery could not be queued; the sweeper will send it"]]);
      const { replayedAs } = v.parse(Replayed, JSON.parse(out));
      expect(await openJobs(underTest().config).get(replayedAs)).toMatchObject({ status: "queued", placed: true, dispatch: true });
    });

    it.each([
      ["a job that has not failed", [], (job: Job) => complete(job, FIRST, new Date()), /is completed; only failed jobs/],
      ["a job of a suspended customer", ["customers", "suspend", "UID"], fail, /is suspended; its jobs can be replayed once it is active/],
      [
        "a job for a revoked country",
        ["scopes", "revoke", "UID", "country:EST", "--default-country", "LAT"],
        fail,
        /no longer has EST, .* country:EST restores it/,
      ],
    ])("rejects %s and says how to fix it", async (_what, change, end, says) => {
      const customer = await newCustomer();
      const id = await endedJob(customer, end);
      if (change.length > 0) expect((await admin(change.map((word) => (word === "UID" ? customer.uid : word)))).failure).toBe(undefined);
      expect((await admin(["jobs", "replay", id])).failure).toMatch(says);
      expect(await idsOf(customer)).toEqual([id]);
    });

    it("names the quota that forbids it and how to raise it", async () => {
      const customer = await newCustomer();
      const id = await endedJob(customer, fail, true);
      const quota = (name: string, count: string) => admin(["quotas", "set", customer.uid, `--${name}`, count]);
      await quota("exports-per-day", "1");
      expect((await admin(["jobs", "replay", id])).failure).toMatch(/its limit of 1 export per day \(UTC\).*--exports-per-day N/);
      await quota("exports-per-day", "9");
      await quota("unfinished-jobs", "1");
      const jobs = openJobs(underTest().config);
      const [unfinished, now] = [randomUUID(), new Date()];
      await jobs.submit(customer.uid, { now, make: (placed) => newOdmJob(unfinished, customer.uid, false, placed, now) });
      expect((await admin(["jobs", "replay", id])).failure).toMatch(/its limit of 1 unfinished job:.*--unfinished-jobs N/);
      await quota("unfinished-jobs", "2");
      expect((await admin(["jobs", "replay", id])).failure).toBe(undefined);
      expect(await idsOf(customer)).toHaveLength(3);
    });
  });
}
