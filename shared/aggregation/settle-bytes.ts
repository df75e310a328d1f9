import type { Bill, Warehouse } from "../google/bigquery.ts";
import { settled } from "../jobs/job-bytes.ts";
import { isOver } from "../jobs/job-state.ts";
import type { Job, JobStore } from "../jobs/jobs.ts";
import { warehouseJobIds } from "./clean-up.ts";

/** The dependencies of settling a job's bytes. */
export interface SettleContext {
  readonly jobs: Pick<JobStore, "transition">;
  readonly warehouse: Pick<Warehouse, "bill">;
  readonly now: () => Date;
}

/**
 * Returns what the queries of all attempts of a job have taken so far; undefined while one of them still runs. Asked of the warehouse each
 * time, so a repeated delivery counts nothing twice.
 */
export async function billOf(
  job: Pick<Job, "id" | "attempt" | "request">,
  warehouse: SettleContext["warehouse"],
): Promise<Bill | undefined> {
  const attempts = Array.from({ length: job.attempt }, (_, index) => warehouseJobIds({ id: job.id, attempt: index + 1 }));
  const ids = attempts.flatMap(({ summary, exported, ledger }) => (job.request.full ? [summary, exported, ledger] : [summary]));
  let [bytes, milliseconds] = [0, 0];
  for (const bill of await Promise.all(ids.map((id) => warehouse.bill(id)))) {
    if (bill === undefined) return undefined;
    bytes += bill.bytes;
    milliseconds += bill.milliseconds;
  }
  return { bytes, milliseconds };
}

/**
 * Replaces the reservation of a job that is over by what it was billed. Returns whether that is known: a query that was stopped a moment ago
 * may still run.
 */
export async function settleBytes(job: Job, { jobs, warehouse, now }: SettleContext): Promise<boolean> {
  if (!job.bytes || !isOver(job) || job.status === "expired") return true;
  const bill = await billOf(job, warehouse);
  if (bill === undefined) return false;
  if (settled(job, bill.bytes, true)) await jobs.transition(job, (current) => settled(current, bill.bytes, isOver(current)), now());
  return true;
}
