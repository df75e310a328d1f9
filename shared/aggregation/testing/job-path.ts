import builtIn from "../../../infra/countries.json" with { type: "json" };
import type { JobMessage } from "../../jobs/job-message.ts";
import { cancel, newJob } from "../../jobs/job-state.ts";
import type { Job } from "../../jobs/jobs.ts";
import { parseCountryTable } from "../../products/countries.ts";
import type { OdmRequest } from "../../products/odm.ts";
import { dispatchAndCleanUp } from "../after-transition.ts";
import { dispatch } from "../dispatch.ts";
import { runJob } from "../run-job.ts";
import { sweepJobs } from "../sweep-jobs.ts";
import { drawFrom, stepsOf } from "./chance.ts";
import { type MemoryJobs, memoryJobs } from "./memory-jobs.ts";
import { memoryMessages } from "./memory-messages.ts";
import { type MemoryWarehouse, memoryWarehouse } from "./memory-warehouse.ts";

const COUNTRIES = parseCountryTable("infra/countries.json", builtIn);
const START = new Date("2026-11-20T00:00:00Z");

/** The real job path over in-memory ports. Everything that a round starts runs concurrently. */
export interface JobPath {
  readonly jobs: MemoryJobs;
  readonly store: MemoryWarehouse;
  readonly now: () => Date;
  readonly advance: (milliseconds: number) => void;
  readonly nextAt: () => Date | undefined;
  /** Runs `work` and all due deliveries concurrently until all have ended. A failure counts as the death of its process. */
  readonly round: (work: readonly (() => Promise<void>)[]) => Promise<void>;
  readonly submit: (uid: string, full: boolean) => Promise<void>;
  readonly cancel: (job: Job) => Promise<void>;
  readonly sweep: () => Promise<void>;
}

interface Options {
  readonly decisions: readonly number[];
  readonly runningMax: Readonly<Record<string, number>>;
  /** How many jobs of a kind a sweep processes. */
  readonly batch: number;
}

export function openJobPath({ decisions, runningMax, batch }: Options): JobPath {
  const draw = drawFrom(decisions);
  const step = stepsOf(draw);
  const store = memoryWarehouse(step, draw);
  const jobs = memoryJobs(runningMax, step);
  const messages = memoryMessages(step, draw);
  let time = START;
  let submitted = 0;
  const now = (): Date => time;
  const { warehouse, exports } = store;
  const ports = { jobs, queue: messages.queue, topic: messages.topic, warehouse, exports, now, log: () => undefined };
  const deliver = async (message: JobMessage): Promise<void> => {
    try {
      await runJob(message, { ...ports, countries: COUNTRIES, exportBucket: "exports" });
    } catch {
      messages.again(message);
    }
  };
  return {
    jobs,
    store,
    now,
    advance: (milliseconds) => {
      time = new Date(time.getTime() + milliseconds);
    },
    nextAt: messages.nextAt,
    round: async (work) => {
      const deliveries = messages.take(now()).map((message) => () => deliver(message));
      await Promise.allSettled([...deliveries, ...work].map((start) => start()));
    },
    submit: async (uid, full) => {
      const id = `00000000-0000-4000-8000-${String(++submitted).padStart(12, "0")}`;
      const at = now();
      const submission = await jobs.submit(uid, at, (placed) => newOdmJob(id, uid, full, placed, at));
      if ("job" in submission && submission.job.dispatch) await dispatch(submission.job, ports.queue, ports.log);
    },
    cancel: async (job) => {
      const settled = await jobs.transition(job, (current) => cancel(current, now()), now());
      if (settled) await dispatchAndCleanUp(settled, ports);
    },
    sweep: () => sweepJobs({ ...ports, batch }),
  };
}

/** Returns a new job for one day of trips. */
export function newOdmJob(id: string, uid: string, full: boolean, placed: boolean, now: Date): Job {
  return {
    ...newJob(now, placed),
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
