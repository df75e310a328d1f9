import { type Content, memoryBucket } from "../../../infra/testing/simulation/jobs/memory-bucket.ts";
import { type Kind, kindOf, rowsOf } from "../../../infra/testing/simulation/jobs/memory-warehouse.ts";
import { type Outcome, outcomeWith, type Warehouse } from "../../google/bigquery.ts";
import type { Statement } from "../../google/statement.ts";
import type { Exports } from "../../google/storage.ts";
import type { Draw, Step } from "./chance.ts";

/** The data version of every snapshot. */
const VERSION = 1;

/** A warehouse job. It is found running `runs` more times, and is then done unless it was stopped. */
interface WarehouseJob {
  readonly kind: Kind;
  readonly version: number;
  runs: number;
  isStopped: boolean;
}

/** The warehouse and its export bucket. Queries fail in the simulator (`infra/testing/simulation`), not here. */
export interface MemoryWarehouse {
  readonly warehouse: Warehouse;
  readonly exports: Exports;
  readonly jobs: ReadonlyMap<string, WarehouseJob>;
  readonly files: ReadonlyMap<string, Content>;
}

export function memoryWarehouse(step: Step, draw: Draw): MemoryWarehouse {
  const jobs = new Map<string, WarehouseJob>();
  const bucket = memoryBucket();

  const start = (id: string, statement: Statement): void => {
    if (jobs.has(id)) return;
    jobs.set(id, { kind: kindOf(statement), version: VERSION, runs: draw() % 3, isStopped: false });
    const uri = /uri = 'gs:\/\/[^/]+\/(.*)\*(.*?)'/.exec(statement.sql);
    if (uri) bucket.write(`${uri[1]}000${uri[2]}`, VERSION);
  };

  const wait = (id: string): Outcome => {
    const job = jobs.get(id);
    if (!job) throw new Error(`${id} was never started`);
    if (job.runs > 0) {
      job.runs--;
      return { state: "running", progress: draw() % 101 };
    }
    if (job.isStopped) return { state: "failed", reason: "stopped", message: "stopped" };
    return { state: "done", rows: rowsOf(job) };
  };

  const cancel = (id: string): void => {
    const job = jobs.get(id);
    if (job && job.runs > 0) Object.assign(job, { runs: 0, isStopped: true });
  };

  return {
    jobs,
    files: bucket.files,
    warehouse: {
      start: (id, statement) => step("start", () => start(id, statement)),
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
