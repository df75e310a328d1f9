import type { Firestore } from "@google-cloud/firestore";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import indexFile from "../../infra/firestore.indexes.json" with { type: "json" };
import { startFirestore } from "../../infra/local/firestore/start.ts";
import type { LocalServer } from "../../infra/local/server.ts";
import { DEFAULT_LIMITS } from "../accounts/customers.ts";
import { firestore } from "../google/firestore.ts";
import { type Config, parseConfig } from "../runtime/config.ts";
import { reservation, settled } from "./job-bytes.ts";
import { newJob } from "./job-state.ts";
import { type Job, type JobStore, openJobs } from "./jobs.ts";
import type { Submission } from "./submit-jobs.ts";

const PROJECT = "populus-submissions";
const NOW = new Date("2026-11-20T00:00:00Z");
const LATER = new Date("2026-11-21T00:00:00Z");
const UID = "acme";

let server: LocalServer;
let config: Config;
let db: Firestore;
let jobs: JobStore;

beforeAll(async () => {
  server = await startFirestore({ project: PROJECT, indexes: indexFile.indexes });
  process.env.FIRESTORE_EMULATOR_HOST = server.address;
  process.env.METADATA_SERVER_DETECTION = "none";
  config = parseConfig({ GOOGLE_CLOUD_PROJECT: PROJECT, ENVIRONMENT: "local", EXPORT_BUCKET: "exports" });
  db = firestore(config);
});

afterAll(async () => {
  await db.terminate();
  await server.close();
});

beforeEach(async () => {
  await fetch(`http://${server.address}/emulator/v1/projects/${PROJECT}/databases/(default)/documents`, { method: "DELETE" });
  jobs = openJobs(config);
  const fields = { name: UID, countries: ["EST"], defaultCountry: "EST", personalDataset: null, status: "active" };
  await db
    .collection("customers")
    .doc(UID)
    .set({ ...fields, limits: DEFAULT_LIMITS, running: 0, waiting: 0 });
});

function jobOf(id: string, uid: string, full: boolean, placed: boolean): Job {
  const request = {
    agg_type: "activities",
    country_code: "EST",
    measure: "stays_count",
    activity_type: "daily",
    geo_type: "grid_1000m",
    geo_ids: null,
    start_time: "2026-11-18T00:00:00.000Z",
    end_time: "2026-11-19T00:00:00.000Z",
    full,
    format: "csv",
  } as const;
  return { ...newJob(NOW, placed), id, uid, keyLabel: "main", request, result: null };
}

interface Sent {
  readonly uid?: string;
  readonly full?: boolean;
  readonly key?: string;
  readonly requestHash?: string;
}

function submit(store: JobStore, id: string, { uid = UID, full = false, key, requestHash = "a" }: Sent = {}): Promise<Submission> {
  const idempotency = key === undefined ? undefined : { key, requestHash, expireAt: LATER };
  return store.submit(uid, { now: NOW, make: (placed) => jobOf(id, uid, full, placed), idempotency });
}

function submitMany(store: JobStore, count: number, prefix: string, sent: Sent = {}): Promise<Submission[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => submit(store, `${prefix}${index}`, sent)));
}

async function customer() {
  return (await db.collection("customers").doc(UID).get()).data();
}

/** Counts the submissions by outcome. */
function tally(submissions: readonly Submission[]): Record<string, number> {
  return Object.fromEntries([...Map.groupBy(submissions, ({ outcome }) => outcome)].map(([outcome, all]) => [outcome, all.length]));
}

describe("many submissions of a customer at once", () => {
  it("are accepted up to its limit and counted, and the first get slots", async () => {
    const submissions = await submitMany(jobs, 300, "job-");
    expect(tally(submissions)).toEqual({ created: 200, tooManyJobs: 100 });
    const placed = submissions.flatMap((one) => ("job" in one && one.job.placed ? [one.job.id] : []));
    expect(placed).toEqual(["job-0", "job-1", "job-2", "job-3", "job-4"]);
    expect(await customer()).toMatchObject({ running: 5, waiting: 195 });
    for (const one of submissions) if ("job" in one) expect(await jobs.get(one.job.id)).toEqual(one.job);
  });

  it("stay within the limit across several instances", async () => {
    const instances = [jobs, openJobs(config), openJobs(config)];
    const submissions = (await Promise.all(instances.map((store, index) => submitMany(store, 80, `${index}-`)))).flat();
    expect(tally(submissions)).toEqual({ created: 200, tooManyJobs: 40 });
    expect(await customer()).toMatchObject({ running: 5, waiting: 195 });
    expect((await db.collection("jobs").count().get()).data().count).toBe(200);
  });

  it("create one job under one Idempotency-Key, and are a mismatch with another body", async () => {
    const [same, other] = [{ key: "once" }, { key: "once", requestHash: "b" }];
    const submissions = await Promise.all([
      submit(jobs, "first", same),
      submit(jobs, "other", other),
      submitMany(jobs, 20, "again-", same),
    ]);
    expect(tally(submissions.flat())).toEqual({ created: 1, mismatch: 1, repeated: 20 });
    expect(submissions[2].every((one) => "job" in one && one.job.id === "first")).toBe(true);
    expect(await customer()).toMatchObject({ running: 1, waiting: 0 });
  });

  it("still count as repetitions when the customer has reached its limit", async () => {
    await submit(jobs, "first", { key: "once" });
    await submitMany(jobs, 199, "job-");
    const submissions = await Promise.all([submitMany(jobs, 20, "more-"), submitMany(jobs, 20, "again-", { key: "once" })]);
    expect(submissions.map(tally)).toEqual([{ tooManyJobs: 20 }, { repeated: 20 }]);
  });

  it("are accepted up to the daily limit of exports, and previews without it", async () => {
    await db.collection("customers").doc(UID).update({ "limits.exportsPerDay": 7 });
    const submissions = await Promise.all([submitMany(jobs, 20, "export-", { full: true }), submitMany(jobs, 20, "preview-")]);
    expect(submissions.map(tally)).toEqual([{ created: 7, tooManyExports: 13 }, { created: 20 }]);
    expect(await customer()).toMatchObject({ running: 5, waiting: 22, exportsToday: { date: "2026-11-20", count: 7 } });
  });
});

describe("submissions that reserve bytes", () => {
  const reserving = (store: JobStore, id: string, uid: string, bytes: number, now = NOW, leased = 0) =>
    store.submit(uid, { now, make: (placed) => ({ ...jobOf(id, uid, false, placed), bytes: reservation(now, bytes) }), leased });

  beforeEach(async () => {
    await db.collection("customers").doc(UID).update({ "limits.bytesPerDay": 1000 });
    await db
      .collection("customers")
      .doc("globex")
      .set((await customer()) ?? {});
  });

  it("are accepted up to the customer's day, across several instances, and nobody else pays", async () => {
    const instances = [jobs, openJobs(config)];
    const sent = instances.flatMap((store, index) => Array.from({ length: 10 }, (_, job) => reserving(store, `${index}-${job}`, UID, 150)));
    const submissions = await Promise.all(sent);
    expect(tally(submissions)).toEqual({ created: 6, tooManyBytes: 14 });
    expect(submissions.find(({ outcome }) => outcome === "tooManyBytes")).toMatchObject({ limit: 1000, left: 100, asked: 150 });
    expect(await customer()).toMatchObject({ running: 5, waiting: 1, bytesToday: { date: "2026-11-20", bytes: 900 } });
    expect(await reserving(jobs, "other", "globex", 1000)).toMatchObject({ outcome: "created" });
    expect(await reserving(jobs, "smaller", UID, 100)).toMatchObject({ outcome: "created" });
  });

  it("leave what interactive queries have leased, and begin anew with the UTC day", async () => {
    expect(await reserving(jobs, "one", UID, 600, NOW, 500)).toMatchObject({ outcome: "tooManyBytes", left: 500 });
    expect(await reserving(jobs, "two", UID, 500, NOW, 500)).toMatchObject({ outcome: "created" });
    expect(await reserving(jobs, "three", UID, 1, NOW, 500)).toMatchObject({ outcome: "tooManyBytes", left: 0 });
    expect(await reserving(jobs, "four", UID, 1000, LATER)).toMatchObject({ outcome: "created" });
    expect(await customer()).toMatchObject({ bytesToday: { date: "2026-11-21", bytes: 1000 } });
  });

  it("are replaced by the bill when the job is over, once", async () => {
    const submission = await reserving(jobs, "job", UID, 600);
    if (!("job" in submission)) throw new Error(submission.outcome);
    const bill = (job: Job): Job | undefined => settled({ ...job, status: "failed", placed: false }, 70, true);
    for (let time = 1; time <= 2; time++) await jobs.transition(submission.job, bill, NOW);
    expect(await customer()).toMatchObject({ bytesToday: { date: "2026-11-20", bytes: 70 } });
    expect(await jobs.get("job")).toMatchObject({ bytes: { reserved: 0, billed: 70 } });
  });
});

describe("submissions of a deleted customer", () => {
  it("are refused as customerDeleted and create nothing", async () => {
    expect(tally(await submitMany(jobs, 20, "job-", { uid: "gone", key: "once" }))).toEqual({ customerDeleted: 20 });
    expect((await db.collection("jobs").count().get()).data().count).toBe(0);
  });
});
