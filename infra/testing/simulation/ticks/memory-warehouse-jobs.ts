import type { Outcome } from "../../../../shared/google/bigquery.ts";
import type { World } from "../world.ts";

/** The behaviour of the warehouse for a while: shares, and times in milliseconds. */
export interface WarehouseManner {
  /** Whether every call fails. */
  readonly isDown: boolean;
  readonly refused: number;
  readonly fails: number;
  readonly durationMs: number;
}

interface Job {
  readonly endAt: number;
  readonly hasFailed: boolean;
}

/** The jobs of a warehouse. Each id is used once, and a job takes effect atomically when it ends. */
export interface MemoryJobs {
  /** Throws while the warehouse is down. */
  readonly arrive: () => void;
  /** Starts a job unless its id exists. `begin` reads its input now and returns the effect at the end; undefined for a failing job. */
  readonly start: (id: string, begin: () => (() => void) | undefined) => void;
  readonly endOf: (id: string) => number;
  readonly outcome: (id: string) => Outcome;
}

export function memoryJobs(world: World, manner: () => WarehouseManner): MemoryJobs {
  const jobs = new Map<string, Job>();
  const fail = (code: number, reason: string): never => {
    throw Object.assign(new Error(reason), { code, errors: [{ reason }] });
  };
  const arrive = (): void => {
    if (!manner().isDown) return;
    world.count("warehouse calls while it is down");
    fail(503, "backendError");
  };
  return {
    arrive,
    start: (id, begin) => {
      arrive();
      if (jobs.has(id)) {
        world.count("warehouse jobs attached to");
        return;
      }
      const { refused, fails, durationMs } = manner();
      if (world.random.chance(refused)) fail(403, "rateLimitExceeded");
      const end = begin();
      const job = { endAt: world.time + world.random.whole(0, durationMs), hasFailed: world.random.chance(fails) || end === undefined };
      jobs.set(id, job);
      if (job.hasFailed) world.count("warehouse jobs that failed");
      else world.at(job.endAt, () => end?.());
    },
    endOf: (id) => jobs.get(id)?.endAt ?? 0,
    outcome: (id) => {
      arrive();
      const job = jobs.get(id);
      if (!job) return fail(404, "notFound");
      if (world.time <= job.endAt) return { state: "running", progress: 0 };
      return job.hasFailed ? { state: "failed", reason: "backendError", message: "a random failure" } : { state: "done", rows: [] };
    },
  };
}
