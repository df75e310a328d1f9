import { type Content, memoryBucket } from "../../../infra/testing/simulation/jobs/memory-bucket.ts";
import { type Kind, kindOf, rowsOf } from "../../../infra/testing/simulation/jobs/memory-warehouse.ts";
import { type Outcome, outcomeWith, type Warehouse } from "../../google/bigquery.ts";
import type { Statement } from "../../google/statement.ts";
import type { Exports } from "../../google/storage.ts";
import type { Draw, Step } from "./chance.ts";

/** A warehouse job. It is found running `runs` more times, then has the state `end`. */
interface WarehouseJob {
  readonly kind: Kind;
  /** The service's job that it belongs to. */
  readonly jobId: string | undefined;
  /** The data version of its snapshot. */
  readonly version: number;
  runs: number;
  end: "done" | "backendError" | "invalidQuery" | "stopped";
}

/** The warehouse and its export bucket, over data that may be reloaded at any time. */
export interface MemoryWarehouse {
  readonly warehouse: Warehouse;
  readonly exports: Exports;
  readonly jobs: ReadonlyMap<string, WarehouseJob>;
  /** The ids of starts that were refused with a permanent error. */
  readonly refused: ReadonlySet<string>;
  readonly files: ReadonlyMap<string, Content>;
}

export function memoryWarehouse(step: Step, draw: Draw): MemoryWarehouse {
  const jobs = new Map<string, WarehouseJob>();
  const refused = new Set<string>();
  const bucket = memoryBucket();
  let version = 1;

  const start = (id: string, statement: Statement, jobId: string | undefined): void => {
    if (draw() >= 800) version++;
    if (jobs.has(id)) return;
    const fate = draw();
    if (fate >= 960) throw Object.assign(new Error("too many requests"), { code: 403, errors: [{ reason: "rateLimitExceeded" }] });
    if (fate >= 940) {
      refused.add(id);
      throw Object.assign(new Error("no such column"), { code: 400, errors: [{ reason: "invalidQuery" }] });
    }
    const end = fate >= 920 ? "invalidQuery" : fate >= 750 ? "backendError" : "done";
    jobs.set(id, { kind: kindOf(statement), jobId, version, runs: draw() % 3, end });
    const uri = /uri = 'gs:\/\/[^/]+\/(.*)\*(.*?)'/.exec(statement.sql);
    if (uri) bucket.write(`${uri[1]}000${uri[2]}`, version);
  };

  const wait = (id: string): Outcome => {
    const job = jobs.get(id);
    if (!job) throw new Error(`${id} was never started`);
    if (job.runs > 0) {
      job.runs--;
      return { state: "running", progress: draw() % 101 };
    }
    if (job.end !== "done") return { state: "failed", reason: job.end, message: "a random failure" };
    return { state: "done", rows: rowsOf(job) };
  };

  const cancel = (id: string): void => {
    const job = jobs.get(id);
    if (job && job.runs > 0) Object.assign(job, { runs: 0, end: "stopped" });
  };

  return {
    jobs,
    refused,
    files: bucket.files,
    warehouse: {
      start: (id, statement, { job }) => step("start", () => start(id, statement, job)),
      wait: (id, statement) => step("wait", () => outcomeWith(statement, wait(id))),
      cancel: (id) => step("cancel", () => cancel(id)),
      query: () => Promise.reject(new Error("a job runs no interactive query")),
      queryOne: () => Promise.reject(new Error("a job runs no interactive query")),
      dryRun: () => Promise.reject(new Error("a job runs no dry run")),
    },
    // The name of the port's method: `list` for "exports.list #1/".
    exports: bucket.portOf({ name: "test", step: (what, effect) => step(what.split(/[. ]/)[1] ?? what, effect) }),
  };
}
