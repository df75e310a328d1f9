import builtIn from "../../../infra/countries.json" with { type: "json" };
import { memoryBucket } from "../../../infra/testing/simulation/jobs/memory-bucket.ts";
import { type MemoryJobs, memoryJobs } from "../../../infra/testing/simulation/jobs/memory-jobs.ts";
import { type MemoryWarehouse, memoryWarehouse, type WarehouseManner } from "../../../infra/testing/simulation/jobs/memory-warehouse.ts";
import type { Process } from "../../../infra/testing/simulation/process.ts";
import { World } from "../../../infra/testing/simulation/world.ts";
import type { Warehouse } from "../../google/bigquery.ts";
import type { Exports } from "../../google/storage.ts";
import { reservation } from "../../jobs/job-bytes.ts";
import type { JobMessage } from "../../jobs/job-message.ts";
import type { JobQueue, JobTopic } from "../../jobs/job-queue.ts";
import { newJob } from "../../jobs/job-state.ts";
import type { Job, JobStore } from "../../jobs/jobs.ts";
import { parseCountryTable } from "../../products/countries.ts";
import type { OdmRequest } from "../../products/odm.ts";
import type { Log } from "../../runtime/log.ts";
import { dispatch } from "../dispatch.ts";
import { runJob } from "../run-job.ts";
import { sweepJobs } from "../sweep-jobs.ts";

/** The time at which a path starts. */
export const START = new Date("2026-11-20T00:00:00Z");
const COUNTRIES = parseCountryTable("infra/countries.json", builtIn);
/** Each query is done at once, with one result. */
const AT_ONCE: WarehouseManner = {
  refusedForNow: 0,
  refusedForGood: 0,
  failsForNow: 0,
  failsForGood: 0,
  neverEnds: 0,
  durationMs: 0,
  stopMs: 0,
};

/** Runs one call of a port. A test may do something before it, or throw. `name` is the port's method, as in `exports.list`. */
export type Step = <T>(name: string, effect: () => T) => Promise<T>;

/** A delivery that was queued or published. */
interface SentMessage {
  readonly message: JobMessage;
  readonly at: Date | undefined;
}

/** The ports of the job path, in memory. */
interface Ports {
  readonly jobs: JobStore;
  readonly queue: JobQueue;
  readonly topic: JobTopic;
  readonly warehouse: Warehouse;
  readonly exports: Exports;
}

/** The real job path over the simulator's store, warehouse and bucket, where nothing fails and a test decides what is delivered. */
export interface JobPath {
  readonly ports: Ports;
  readonly stored: MemoryJobs;
  /** The queries that the warehouse has started. */
  readonly queries: MemoryWarehouse["jobs"];
  readonly files: ReadonlyMap<string, unknown>;
  /** What was queued and published and not yet taken. The queue takes the same message once. */
  readonly sent: SentMessage[];
  readonly now: () => Date;
  readonly advance: (milliseconds: number) => Promise<void>;
  /** Submits a job for one day of trips, with the id that {@link jobId} returns for its number. */
  readonly submit: (uid: string, full: boolean) => Promise<void>;
  /** Delivers a message to a worker. */
  readonly deliver: (
    message: JobMessage,
    options?: { readonly shutdownSignal?: AbortSignal; readonly ports?: Partial<Ports> },
  ) => Promise<void>;
  readonly sweep: () => Promise<void>;
}

interface Options {
  /** Each customer's number of slots. */
  readonly runningMax: Readonly<Record<string, number>>;
  readonly step?: Step;
  /** How many jobs of a kind a sweep processes. */
  readonly batch?: number;
  readonly manner?: Partial<WarehouseManner>;
  /** Replaces the store in memory. */
  readonly jobs?: JobStore;
  readonly log?: Log;
}

export function openJobPath({
  runningMax,
  step = async (_name, effect) => effect(),
  batch = 10,
  manner,
  jobs,
  log = () => undefined,
}: Options): JobPath {
  const world = new World({ seed: 1, start: START, isTraced: false, turnsMax: Number.POSITIVE_INFINITY });
  const process: Process = {
    name: "test",
    step: async (what, effect) => {
      // The parts of exports appear as events of the world.
      await world.run(world.time);
      return step(what.replace(/ .*/, ""), effect);
    },
  };
  const bucket = memoryBucket();
  const warehouse = memoryWarehouse(world, bucket, () => ({ ...AT_ONCE, ...manner }));
  const stored = memoryJobs((uid) => ({
    runningJobs: runningMax[uid] ?? 0,
    unfinishedJobs: Number.POSITIVE_INFINITY,
    bytesPerDay: Number.POSITIVE_INFINITY,
  }));
  const sent: SentMessage[] = [];
  const queued = new Set<string>();
  const enqueue = (message: JobMessage, at: Date | undefined): void => {
    const name = JSON.stringify(message);
    if (!queued.has(name)) sent.push({ message, at });
    queued.add(name);
  };
  const ports: Ports = {
    jobs: jobs ?? stored.portOf(process),
    queue: { enqueue: (message, at) => process.step("queue.enqueue", () => enqueue(message, at)) },
    topic: { publish: (message) => process.step("topic.publish", () => void sent.push({ message, at: undefined })) },
    warehouse: warehouse.portOf(process),
    exports: bucket.portOf(process),
  };
  const rest = { now: world.now, log };
  let submitted = 0;
  return {
    ports,
    stored,
    queries: warehouse.jobs,
    files: bucket.files,
    sent,
    now: world.now,
    advance: async (milliseconds) => void (await world.run(world.time + milliseconds)),
    submit: async (uid, full) => {
      const id = jobId(++submitted);
      const submission = await ports.jobs.submit(uid, {
        now: world.now(),
        make: (placed) => newOdmJob(id, uid, full, placed, world.now()),
      });
      if ("job" in submission && submission.job.dispatch) await dispatch(submission.job, ports.queue, rest.log);
    },
    deliver: (message, { shutdownSignal, ports: others } = {}) =>
      runJob(message, {
        ...ports,
        ...others,
        ...rest,
        countries: COUNTRIES,
        exportBucket: "exports",
        ...(shutdownSignal && { shutdownSignal }),
      }),
    sweep: () => sweepJobs({ ...ports, ...rest, batch }),
  };
}

/** Returns the id of the nth submitted job of a path, counted from 1. */
export function jobId(number: number): string {
  return `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
}

/** Returns a new job for one day of trips. */
export function newOdmJob(id: string, uid: string, full: boolean, placed: boolean, now: Date): Job {
  return {
    ...newJob(now, placed, reservation(now, 1000)),
    id,
    uid,
    keyLabel: "storage",
    result: null,
    request: { ...REQUEST, full },
  };
}

const REQUEST: OdmRequest = {
  agg_type: "odm",
  measure: "trips",
  country_code: "EST",
  activity_type: "daily",
  start_time: "2026-11-18T00:00:00.000Z",
  end_time: "2026-11-19T00:00:00.000Z",
  full: false,
  format: "csv",
  origin_geo_type: "grid_1000m",
  destination_geo_type: "grid_1000m",
  origin_geo_ids: null,
  destination_geo_ids: null,
};
