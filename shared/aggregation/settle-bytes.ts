import type { Warehouse } from "../google/bigquery.ts";
import { settled } from "../jobs/job-bytes.ts";
import { isOver } from "../jobs/job-state.ts";
import type { Job, JobStore } from "../jobs/jobs.ts";
import { warehouseJobIds } from "./clean-up.ts";

/** The dependencies of settling a job's bytes. */
export interface SettleContext {
  readonly jobs: Pick<JobStore, "transition">;
  readonly warehouse: Pick<Warehouse, "bytesBilled">;
  readonly now: () => Date;
}

/**
 * Returns the bytes that the queries of all attempts of a job were billed so far; undefined while one of them still runs. Asked of the
 * warehouse each time, so a repeated delivery counts nothing twice.
 */
export async function billedBytes(
  job: Pick<Job, "id" | "attempt" | "request">,
  warehouse: SettleContext["warehouse"],
): Promise<number | undefined> {
  const attempts = Array.from({ length: job.attempt }, (_, index) => warehouseJobIds({ id: job.id, attempt: index + 1 }));
  const ids = attempts.flatMap(({ summary, exported, ledger }) => (job.request.full ? [summary, exported, ledger] : [summary]));
  let sum = 0;
  for (const billed of await Promise.all(ids.map((id) => warehouse.bytesBilled(id)))) {
    if (billed === undefined) return undefined;
    sum += billed;
  }
  return sum;
}

/**
 * Replaces the reservation of a job that is over by what it was billed. Returns whether that is known: a query that was stopped a moment ago
 * may still run.
 */
export async function settleBytes(job: Job, { jobs, warehouse, now }: SettleContext): Promise<boolean> {
  if (!job.bytes || !isOver(job) || job.status === "expired") return true;
  const billed = await billedBytes(job, warehouse);
  if (billed === undefined) return false;
  if (settled(job, billed, true)) await jobs.transition(job, (current) => settled(current, billed, isOver(current)), now());
  return true;
}
