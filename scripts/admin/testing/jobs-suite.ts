import { randomUUID } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as v from "valibot";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { LocalCustomer } from "../../../infra/local/provision.ts";
import { newOdmJob } from "../../../shared/aggregation/testing/job-path.ts";
import { firestore } from "../../../shared/google/firestore.ts";
import { begin, complete, failUndeliverable } from "../../../shared/jobs/job-state.ts";
import { type Job, openJobs } from "../../../shared/jobs/jobs.ts";
import { admin, adminJson, call, keyOf, newCustomer, underTest } from "./service-under-test.ts";

const FIRST = { attempt: 1, step: 0 };
const Listed = v.object({ jobs: v.array(v.looseObject({ id: v.string(), uid: v.string(), status: v.string() })) });
const Replayed = v.object({ jobId: v.string(), replayedAs: v.string(), uid: v.string(), status: v.string() });
const Shown = v.looseObject({ status: v.string(), error: v.nullable(v.string()), replayedAs: v.nullable(v.string()) });

type End = (job: Job) => Job | undefined;
const fail: End = (job) => failUndeliverable(job, FIRST, new Date());

/** A job of a customer's that nobody has sent a delivery for, ended in a way of the test's. */
async function endedJob({ uid }: LocalCustomer, end: End = fail, full = false): Promise<string> {
  const jobs = openJobs(underTest().config);
  const [id, now] = [randomUUID(), new Date()];
  await jobs.submit(uid, now, (placed) => newOdmJob(id, uid, full, placed, now));
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

/** `jobs …`. */
export function jobsSuite(): void {
  describe("jobs list and show", () => {
    it("tell of all customers' jobs, newest first, narrowed to a customer and a status", async () => {
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

    it("show a job with what is to be known to judge it, and none of its results", async () => {
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

    it("say what is wrong with an id, and with a job that cannot be read", async () => {
      const customer = await newCustomer();
      for (const id of [randomUUID(), "../x"]) expect((await admin(["jobs", "show", id])).failure).toMatch(/There is no job ".*jobs list/);
      const id = await endedJob(customer);
      const document = firestore(underTest().config).collection("jobs").doc(id);
      await document.update({ progress: "a lot" });
      expect((await admin(["jobs", "show", id])).failure).toMatch(new RegExp(`stored as the job ${id} cannot be read: progress: `));
      await document.delete();
    });
  });

  describe("jobs replay", () => {
    it("runs a failed job again as one new job, however often and by however many it is asked for", async () => {
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
      expect((await admin(words)).out).toBe(`${id} was replayed already, as ${replayedAs}; it is completed\n`);
      expect(await idsOf(customer)).toEqual([replayedAs, id]);
      expect(await statusOf(customer, id)).toMatchObject({ status: "failed" });
      expect(await adminJson(Shown, "jobs", "show", id)).toMatchObject({ status: "failed", replayedAs });
      const [failed, again] = [await openJobs(underTest().config).get(id), await openJobs(underTest().config).get(replayedAs)];
      expect(again).toMatchObject({ request: failed?.request, keyLabel: failed?.keyLabel, uid: customer.uid });
      const audit = await admin(["audit", "--uid", customer.uid, "--action", "job.replay"]);
      expect(audit.out.split("\n").filter((line) => line.includes(`${id} as ${replayedAs}`))).toHaveLength(1);
    });

    it("waits in its customer's line", async () => {
      const customer = await newCustomer();
      const id = await endedJob(customer);
      await firestore(underTest().config).collection("customers").doc(customer.uid).update({ "limits.runningJobs": 0 });
      const run = await admin(["jobs", "replay", id]);
      expect([run.failure, run.out]).toEqual([undefined, expect.stringContaining("waits for one of its customer's places in work")]);
      expect((await admin(["customers", "show", customer.uid])).out).toMatch(/jobs +0 in work, 1 waiting/);
    });

    it("is left for the sweeper where the operator's machine does not reach the queue", async () => {
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
      ["a job that has not failed", [], (job: Job) => complete(job, FIRST, new Date()), /is completed; only one that has failed/],
      ["a suspended customer's", ["customers", "suspend", "UID"], fail, /is suspended; its jobs can be replayed when it is active/],
      [
        "a country that was taken away",
        ["scopes", "revoke", "UID", "country:EST", "--default-country", "LAT"],
        fail,
        /has no EST any more, .* country:EST gives it back/,
      ],
    ])("refuses %s, and says what would have to change", async (_what, change, end, says) => {
      const customer = await newCustomer();
      const id = await endedJob(customer, end);
      if (change.length > 0) expect((await admin(change.map((word) => (word === "UID" ? customer.uid : word)))).failure).toBe(undefined);
      expect((await admin(["jobs", "replay", id])).failure).toMatch(says);
      expect(await idsOf(customer)).toEqual([id]);
    });

    it("says so where a quota forbids it, and how to raise that", async () => {
      const customer = await newCustomer();
      const id = await endedJob(customer, fail, true);
      const quota = (name: string, count: string) => admin(["quotas", "set", customer.uid, `--${name}`, count]);
      await quota("exports-per-day", "1");
      expect((await admin(["jobs", "replay", id])).failure).toMatch(/as many exports today \(UTC\) as it may, 1: .*--exports-per-day N/);
      await quota("exports-per-day", "9");
      await quota("unfinished-jobs", "1");
      const jobs = openJobs(underTest().config);
      const [unfinished, now] = [randomUUID(), new Date()];
      await jobs.submit(customer.uid, now, (placed) => newOdmJob(unfinished, customer.uid, false, placed, now));
      expect((await admin(["jobs", "replay", id])).failure).toMatch(/as many unfinished jobs as it may, 1: .*--unfinished-jobs N/);
      await quota("unfinished-jobs", "2");
      expect((await admin(["jobs", "replay", id])).failure).toBe(undefined);
      expect(await idsOf(customer)).toHaveLength(3);
    });
  });
}
