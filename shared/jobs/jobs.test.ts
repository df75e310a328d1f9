import type { Firestore } from "@google-cloud/firestore";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import indexFile from "../../infra/firestore.indexes.json" with { type: "json" };
import { startFirestore } from "../../infra/local/firestore/start.ts";
import type { LocalServer } from "../../infra/local/server.ts";
import { DEFAULT_LIMITS } from "../accounts/customers.ts";
import { newOdmJob } from "../aggregation/testing/job-path.ts";
import { firestore } from "../google/firestore.ts";
import { parseConfig } from "../runtime/config.ts";
import type { LogFields } from "../runtime/log.ts";
import { begin, cancel, failUndeliverable, retryOrFail, stopOverdue } from "./job-state.ts";
import { type Job, type JobStore, openJobs } from "./jobs.ts";

const PROJECT = "populus-jobs";
const START = new Date("2026-11-20T00:00:00Z");
const FIRST = { attempt: 1, step: 0 };

let server: LocalServer;
let db: Firestore;
let jobs: JobStore;
let logged: { severity: string; fields: LogFields | undefined }[] = [];

beforeAll(async () => {
  server = await startFirestore({ project: PROJECT, indexes: indexFile.indexes });
  process.env.FIRESTORE_EMULATOR_HOST = server.address;
  process.env.METADATA_SERVER_DETECTION = "none";
  const config = parseConfig({ GOOGLE_CLOUD_PROJECT: PROJECT, ENVIRONMENT: "local", EXPORT_BUCKET: "exports" });
  db = firestore(config);
  jobs = openJobs(config, (severity, _message, fields) => logged.push({ severity, fields }));
});

afterAll(async () => {
  await db.terminate();
  await server.close();
});

beforeEach(async () => {
  logged = [];
  await fetch(`http://${server.address}/emulator/v1/projects/${PROJECT}/databases/(default)/documents`, { method: "DELETE" });
});

function at(seconds: number): Date {
  return new Date(START.getTime() + seconds * 1000);
}

async function customer(uid: string, runningJobs: number): Promise<void> {
  const limits = { ...DEFAULT_LIMITS, runningJobs };
  const fields = { name: uid, countries: ["EST"], defaultCountry: "EST", personalDataset: null, status: "active" };
  await db
    .collection("customers")
    .doc(uid)
    .set({ ...fields, limits, running: 0, waiting: 0 });
}

async function submit(uid: string, id: string, now: Date): Promise<Job> {
  const submission = await jobs.submit(uid, { now, make: (placed) => newOdmJob(id, uid, true, placed, now) });
  if (!("job" in submission)) throw new Error(`The job was not accepted: ${submission.outcome}`);
  return submission.job;
}

async function countsOf(uid: string) {
  const data = (await db.collection("customers").doc(uid).get()).data();
  return { running: data?.running, waiting: data?.waiting };
}

function spoil(id: string): Promise<unknown> {
  return db.collection("jobs").doc(id).update({ progress: "a lot" });
}

const ids = (list: readonly Job[]) => list.map(({ id }) => id);

describe("the lists of the sweeper", () => {
  it("of untouched jobs exclude waiting jobs, however many have waited longer", async () => {
    await customer("acme", 0);
    await customer("globex", 2);
    for (const id of ["w1", "w2", "w3"]) await submit("acme", id, START);
    await submit("globex", "placed-1", at(1));
    await submit("globex", "placed-2", at(2));
    expect(ids(await jobs.untouched(at(60), 2))).toEqual(["placed-1", "placed-2"]);
    expect(ids(await jobs.untouched(at(1), 2))).toEqual(["placed-1"]);
  });

  it("leave out what only the product reads, such as ids", async () => {
    await customer("acme", 5);
    await submit("acme", "odm", START);
    const [untouched] = await jobs.untouched(at(60), 1);
    const [listed] = (await jobs.list("acme", { limit: 1 })).jobs;
    const whole = await jobs.get("odm");
    expect(whole?.request).toHaveProperty("origin_geo_ids");
    for (const job of [untouched, listed]) {
      expect(job?.request).not.toHaveProperty("origin_geo_ids");
      expect(whole).toMatchObject({ ...job });
    }
  });

  it("of overdue jobs count from when a job got its slot, and exclude waiting and finished jobs", async () => {
    await customer("acme", 1);
    const first = await submit("acme", "first", START);
    await submit("acme", "waiting", START);
    const sixHours = at(6 * 3600);
    expect(await jobs.overdue(at(6 * 3600 - 1), 5)).toEqual([]);
    expect(ids(await jobs.overdue(sixHours, 5))).toEqual(["first"]);
    await jobs.transition(first, (job) => stopOverdue(job, sixHours), sixHours);
    expect(await jobs.overdue(sixHours, 5)).toEqual([]);
    expect(ids(await jobs.overdue(at(12 * 3600), 5))).toEqual(["waiting"]);
  });

  it("of leftovers hold jobs that began and did not complete", async () => {
    await customer("acme", 2);
    for (const id of ["began", "never-began"]) await submit("acme", id, START);
    await jobs.update("began", (job) => begin(job, FIRST, START));
    for (const id of ["began", "never-began"]) await jobs.transition({ id, uid: "acme" }, (job) => cancel(job, START), START);
    expect(ids(await jobs.needingCleanUp(START, 5))).toEqual(["began"]);
    expect(await jobs.needingCleanUp(at(-1), 5)).toEqual([]);
  });

  it("skip unreadable documents and log them", async () => {
    await customer("acme", 5);
    for (const id of ["spoilt", "sound"]) await submit("acme", id, START);
    await spoil("spoilt");
    expect(ids(await jobs.untouched(START, 5))).toEqual(["sound"]);
    expect(logged).toEqual([{ severity: "ERROR", fields: expect.objectContaining({ jobId: "spoilt" }) }]);
  });
});

describe("a transition", () => {
  it("that ends a job hands its slot to the oldest waiting job, skipping unreadable documents", async () => {
    await customer("acme", 1);
    const first = await submit("acme", "first", START);
    for (const [index, id] of ["spoilt", "second", "third"].entries()) await submit("acme", id, at(index + 1));
    await spoil("spoilt");
    const settled = await jobs.transition(first, (job) => cancel(job, at(9)), at(9));
    expect(settled?.job).toMatchObject({ id: "first", status: "cancelled", placed: false });
    expect(settled?.promoted).toMatchObject([{ id: "second", placed: true, dispatch: true, touchedAt: at(9) }]);
    expect(await jobs.get("second")).toMatchObject({ ...settled?.promoted[0] });
    expect(await countsOf("acme")).toEqual({ running: 1, waiting: 2 });
    expect(logged).toMatchObject([{ severity: "ERROR", fields: { jobId: "spoilt" } }]);
  });

  it("that retries a job keeps its slot", async () => {
    await customer("acme", 1);
    const first = await submit("acme", "first", START);
    await submit("acme", "second", START);
    const failure = { isRetryable: true, error: "broken" };
    const settled = await jobs.transition(first, (job) => retryOrFail(job, FIRST, failure, START), START);
    expect(settled).toMatchObject({ job: { attempt: 2, placed: true }, promoted: [] });
    expect(await countsOf("acme")).toEqual({ running: 1, waiting: 1 });
  });

  it("whose change returns undefined leaves the job and the counts as they are", async () => {
    await customer("acme", 1);
    const first = await submit("acme", "first", START);
    expect(await jobs.transition(first, () => undefined, START)).toBeUndefined();
    expect(await jobs.get("first")).toEqual(first);
    expect(await countsOf("acme")).toEqual({ running: 1, waiting: 0 });
  });
});

describe("a job of a deleted customer", () => {
  it("ends without changing any counts, however it ends", async () => {
    const failure = { isRetryable: false, error: "broken" };
    for (const [id, end] of Object.entries({
      cancelled: (job: Job) => cancel(job, at(1)),
      failed: (job: Job) => retryOrFail(job, FIRST, failure, at(1)),
      overdue: (job: Job) => stopOverdue(job, at(7 * 3600)),
      dead: (job: Job) => failUndeliverable(job, FIRST, at(1)),
    })) {
      await customer("acme", 1);
      const job = await submit("acme", id, START);
      await submit("acme", `${id}, behind`, START);
      await db.collection("customers").doc("acme").delete();
      expect(await jobs.transition(job, end, at(1))).toMatchObject({ job: { placed: false }, promoted: [] });
      expect(await jobs.get(id)).toMatchObject({ placed: false, finishedAt: expect.any(Date) });
      expect((await db.collection("customers").doc("acme").get()).exists).toBe(false);
    }
  });

  it("gets no slot", async () => {
    expect(await jobs.assignSlots("acme", START)).toEqual([]);
  });
});

describe("free slots", () => {
  it("that a higher limit opens are found, and all go to the oldest waiting jobs", async () => {
    await customer("acme", 0);
    await customer("full", 1);
    for (const [index, id] of ["a", "b", "c"].entries()) await submit("acme", id, at(index));
    for (const id of ["d", "e"]) await submit("full", id, START);
    expect(await jobs.customersWithFreeSlots()).toEqual([]);
    await db.collection("customers").doc("acme").update({ "limits.runningJobs": 2 });
    expect(await jobs.customersWithFreeSlots()).toEqual(["acme"]);
    expect(ids(await jobs.assignSlots("acme", at(9)))).toEqual(["a", "b"]);
    expect(await countsOf("acme")).toEqual({ running: 2, waiting: 1 });
    expect(await jobs.assignSlots("acme", at(9))).toEqual([]);
  });
});
