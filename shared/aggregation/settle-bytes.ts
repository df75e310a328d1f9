import type { Bill, Warehouse } from "../google/bigquery.ts";
import { settled } from "../jobs/job-bytes.ts";
import { isOver } from "../jobs/job-state.ts";
import type { Job, JobStore } from "../jobs/jobs.ts";
import { warehouseJobIds } from "./warehouse-job-ids.ts";

/** The dependencies of settling a job's bytes. */
export interface SettleContext {
  readonly jobs: Pick<JobStore, "transition">;
  readonly warehouse: Pick<Warehouse, "bill">;
  readonly now: () => Date;
}

/** The bills of queries by their ids; undefined for one that still runs. */
export type Bills = ReadonlyMap<string, Bill | undefined>;

/** Returns the bills of all attempts of a job. Asked of the warehouse each time, so a repeated delivery counts nothing twice. */
export async function billsOf(job: Pick<Job, "id" | "attempt" | "request">, warehouse: SettleContext["warehouse"]): Promise<Bills> {
  const attempts = Array.from({ length: job.attempt }, (_, index) => warehouseJobIds({ id: job.id, attempt: index + 1 }));
  const ids = attempts.flatMap(({ summary, exported }) => (job.request.full ? [summary, exported] : [summary]));
  const bills = await Promise.all(ids.map((id) => warehouse.bill(id)));
  return new Map(ids.map((id, index) => [id, bills[index]]));
}

/** Returns what queries have taken together; undefined while one of them still runs. */
export function totalOf(bills: Bills): Bill | undefined {
  let [bytes, milliseconds] = [0, 0];
  for (const bill of bills.values()) {
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
  const bill = totalOf(await billsOf(job, warehouse));
  if (bill === undefined) return false;
  if (settled(job, bill.bytes, true)) await jobs.transition(job, (current) => settled(current, bill.bytes, isOver(current)), now());
  return true;
}
