import { type Outcome, outcomeWith, type Warehouse } from "../../../../shared/google/bigquery.ts";
import type { Statement } from "../../../../shared/google/statement.ts";
import { abortable, ShuttingDown } from "../../../../shared/runtime/shutdown-signal.ts";
import type { Process } from "../process.ts";
import type { World } from "../world.ts";
import type { MemoryBucket } from "./memory-bucket.ts";

/** The reasons of failed queries: one retryable, one permanent. Source: https://cloud.google.com/bigquery/docs/error-messages */
export const FOR_NOW = "backendError";
export const FOR_GOOD = "invalidQuery";
/** The day of all data. */
const DAY = "2026-11-18";
/** The end of a query that was cancelled while it ran. */
const STOPPED = "stopped";

type Kind = "summary" | "export";

/** A query that the warehouse runs and bills. */
export interface WarehouseJob {
  readonly id: string;
  readonly kind: Kind;
  /** The service's job that it belongs to, by its label. */
  readonly jobId: string;
  /** The attempt, from the id. */
  readonly attempt: number;
  /** The data version of its snapshot. */
  readonly version: number;
  /** The rows that an export writes: none if it asks for another version. */
  readonly exportedRows: number;
  /** What it is billed if nothing stops it: no two queries the same. */
  readonly bytes: number;
  readonly startAt: number;
  /** Virtual time in milliseconds. Infinity for a query that never ends. */
  endAt: number;
  /** How it ends: BigQuery's reason for an error, or `done`. */
  end: string;
}

/** The behaviour of the warehouse in one schedule: shares, and times in milliseconds. */
export interface WarehouseManner {
  readonly refusedForNow: number;
  readonly refusedForGood: number;
  readonly failsForNow: number;
  readonly failsForGood: number;
  readonly neverEnds: number;
  readonly durationMs: number;
  /** How long a job may keep running after it was cancelled. */
  readonly stopMs: number;
}

/** An in-memory warehouse, over one day of data that may be reloaded at any time. */
export interface MemoryWarehouse {
  readonly jobs: ReadonlyMap<string, WarehouseJob>;
  /** The ids whose start was refused with a permanent error. */
  readonly refused: ReadonlySet<string>;
  /** Reloads the day. Queries that start from now on read the new version. */
  readonly load: () => void;
  readonly portOf: (process: Process) => Warehouse;
}

/** @param watch called for each started query, not for attaching to one; `who` started it */
export function memoryWarehouse(
  world: World,
  bucket: MemoryBucket,
  manner: () => WarehouseManner,
  watch: (job: WarehouseJob, who: string) => void = () => undefined,
): MemoryWarehouse {
  const { random } = world;
  const jobs = new Map<string, WarehouseJob>();
  const refused = new Set<string>();
  let version = 1;

  const refuse = (code: number, reason: string): never => {
    throw Object.assign(new Error(reason), { code, errors: [{ reason }] });
  };

  const start = (id: string, statement: Statement, jobId: string, who: string): void => {
    if (jobs.has(id)) return;
    const { refusedForNow, refusedForGood, failsForNow, failsForGood, neverEnds, durationMs } = manner();
    if (random.chance(refusedForNow)) refuse(403, "rateLimitExceeded");
    if (refused.has(id) || random.chance(refusedForGood)) {
      refused.add(id);
      refuse(400, FOR_GOOD);
    }
    const end = random.chance(failsForGood) ? FOR_GOOD : random.chance(failsForNow) ? FOR_NOW : "done";
    const endAt = random.chance(neverEnds) ? Number.POSITIVE_INFINITY : world.time + random.whole(0, durationMs);
    const attempt = Number(/_(\d+)(_|$)/.exec(id.slice(40))?.[1]);
    const wanted = statement.parameters.data_versions?.value;
    const exportedRows = wanted === `${DAY} ${version}` ? 1 : 0;
    const job = {
      ...{ id, kind: kindOf(statement), jobId, attempt, version, exportedRows },
      ...{ bytes: 100 + jobs.size, startAt: world.time, endAt, end },
    };
    jobs.set(id, job);
    world.count("queries billed");
    watch(job, who);
    const uri = /uri = 'gs:\/\/[^/]+\/(.*)\*(.*?)'/.exec(statement.sql);
    if (uri) writeParts(job, `${uri[1]}`, `${uri[2]}`);
  };

  /** Parts appear one after the other, the last before the query is done. A stopped query leaves the parts that it has written. */
  const writeParts = (job: WarehouseJob, prefix: string, extension: string): void => {
    const count = random.whole(1, 3);
    for (let part = 0; part < count; part++) {
      const last = part === count - 1;
      if (job.endAt === Number.POSITIVE_INFINITY) return;
      const at = last ? job.endAt - 1 : random.whole(world.time, job.endAt);
      const name = `${prefix}${String(part).padStart(12, "0")}${extension}`;
      const write = (): void => bucket.write(name, job.exportedRows > 0 ? job.version : 0);
      if (at >= world.time) world.at(at, () => world.time < job.endAt && write());
      else if (job.end === "done") write();
    }
  };

  const outcomeOf = (id: string): Outcome => {
    const job = jobs.get(id);
    if (!job) throw Object.assign(new Error(`Not found: ${id}`), { code: 404 });
    if (world.time < job.endAt) return { state: "running", progress: random.whole(0, 100) };
    if (job.end !== "done") return { state: "failed", reason: job.end, message: "a random failure" };
    return { state: "done", rows: rowsOf(job) };
  };

  const stop = (id: string): void => {
    const job = jobs.get(id);
    const endAt = world.time + random.whole(0, manner().stopMs);
    if (job && endAt < job.endAt) Object.assign(job, { endAt, end: STOPPED });
  };

  return {
    jobs,
    refused,
    load: () => {
      version++;
      world.say("world", `version ${version} of the data is loaded`);
    },
    portOf: ({ name, step }) => ({
      start: (id, statement, { job }) => step(`warehouse.start ${short(id)}`, () => start(id, statement, job ?? "", name)),
      wait: async (id, statement, milliseconds, shutdownSignal) => {
        const notBefore = Math.min(world.time + milliseconds, jobs.get(id)?.endAt ?? 0);
        try {
          const found = step(`warehouse.wait ${short(id)}`, () => outcomeOf(id), { notBefore, tell: tellOutcome });
          return outcomeWith(statement, await abortable(found, shutdownSignal));
        } catch (error) {
          if (error instanceof ShuttingDown) return { state: "running", progress: 0 };
          throw error;
        }
      },
      bill: (id) =>
        step(`warehouse.bill ${short(id)}`, () => {
          const job = jobs.get(id);
          if (job && world.time < job.endAt) return undefined;
          return { bytes: billOf(job), milliseconds: 0, ...(job?.kind === "export" ? { exportedRows: job.exportedRows } : {}) };
        }),
      cancel: (id) => step(`warehouse.cancel ${short(id)}`, () => stop(id)),
      query: () => Promise.reject(new Error("no simulation runs an interactive query")),
      queryUpTo: () => Promise.reject(new Error("no simulation runs an interactive query")),
      queryOne: () => Promise.reject(new Error("no simulation runs an interactive query")),
      dryRun: () => Promise.reject(new Error("no simulation runs a dry run")),
    }),
  };
}

/** Returns what a query was billed that has ended: nothing if it failed, half if it was stopped. */
export function billOf(job: WarehouseJob | undefined): number {
  if (job?.end === "done") return job.bytes;
  return job?.end === STOPPED ? job.bytes / 2 : 0;
}

function tellOutcome(outcome: Outcome): string {
  if (outcome.state === "running") return `running, ${outcome.progress} %`;
  return outcome.state === "failed" ? `failed: ${outcome.reason}` : "done";
}

/** Returns the rows of a finished query over one day with one row. An export has none. */
function rowsOf({ kind, version }: Pick<WarehouseJob, "kind" | "version">): object[] {
  if (kind === "export") return [];
  return [{ data_versions: [{ batch_date: DAY, version }], total_rows: 1, unknown_ids: [], newest_date: DAY }];
}

function kindOf({ sql }: Statement): Kind {
  return sql.startsWith("EXPORT DATA") ? "export" : "summary";
}

/** Formats a warehouse job's id for a trace: the job's last digits, the attempt and the stage. */
function short(id: string): string {
  return `#${id.replace(/^agg_.{24}0*/, "")}`;
}
