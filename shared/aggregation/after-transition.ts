import type { Warehouse } from "../google/bigquery.ts";
import type { Exports } from "../google/storage.ts";
import type { JobQueue } from "../jobs/job-queue.ts";
import type { Transition } from "../jobs/jobs.ts";
import { describeError, type Log } from "../runtime/log.ts";
import { cleanUp } from "./clean-up.ts";
import { dispatch } from "./dispatch.ts";

/** What following up on a settled job needs of the world. */
export interface AfterTransition {
  readonly queue: JobQueue;
  readonly warehouse: Warehouse;
  readonly exports: Exports;
  readonly log: Log;
}

/**
 * Does what a settled job asks for: sends the deliveries that it and the jobs behind it are owed, then stops and removes what its lost
 * attempts left. Never throws: the store keeps what is owed, and the sweeper sees to it.
 */
export async function dispatchAndCleanUp(
  { job, promoted }: Transition,
  { queue, warehouse, exports, log }: AfterTransition,
): Promise<void> {
  const owed = [job, ...promoted].filter(({ dispatch: isOwed }) => isOwed);
  await Promise.all(owed.map((one) => dispatch(one, queue, log)));
  if (!job.leftovers && job.attempt === 1) return;
  try {
    await cleanUp(job, { warehouse, exports });
  } catch (fault) {
    log("WARNING", "Lost attempts could not be cleared up; the sweeper will do it", { jobId: job.id, ...describeError(fault) });
  }
}
