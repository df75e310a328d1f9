import type { Warehouse } from "../google/bigquery.ts";
import type { Exports } from "../google/storage.ts";
import type { JobQueue } from "../jobs/job-queue.ts";
import type { Transition } from "../jobs/jobs.ts";
import { describeError, type Log } from "../runtime/log.ts";
import { cleanUp } from "./clean-up.ts";
import { dispatch } from "./dispatch.ts";
import { type SettleContext, settleBytes } from "./settle-bytes.ts";

/** The dependencies of the work after a transition. */
export interface AfterTransition extends SettleContext {
  readonly queue: JobQueue;
  readonly warehouse: Warehouse;
  readonly exports: Exports;
  readonly log: Log;
}

/**
 * Enqueues the deliveries that a job and the jobs promoted with it need, then stops the job's lost attempts, removes what they left, and
 * settles what they were billed.
 * Never throws: the store records what is missing, and the sweeper does it.
 */
export async function dispatchAndCleanUp({ job, promoted }: Transition, context: AfterTransition): Promise<void> {
  const { queue, warehouse, exports, log } = context;
  const undelivered = [job, ...promoted].filter(({ dispatch: needsDelivery }) => needsDelivery);
  await Promise.all(undelivered.map((one) => dispatch(one, queue, log)));
  if (!job.leftovers && job.attempt === 1) return;
  try {
    await cleanUp(job, { warehouse, exports });
    await settleBytes(job, context);
  } catch (error) {
    log("WARNING", "Lost attempts could not be cleaned up; the sweeper will do it", { jobId: job.id, ...describeError(error) });
  }
}
