import type { Exports } from "../cloud/exports.ts";
import type { TaskQueue } from "../cloud/task-queue.ts";
import type { Warehouse } from "../cloud/warehouse.ts";
import { describeFault, type Log } from "../log.ts";
import type { Settled } from "../stores/jobs.ts";
import { dispatch } from "./dispatch.ts";
import { clearLeftovers } from "./leftovers.ts";

/** What following up on a settled job needs of the world. */
export interface FollowUp {
  readonly queue: TaskQueue;
  readonly warehouse: Warehouse;
  readonly exports: Exports;
  readonly log: Log;
}

/**
 * Does what a settled job asks for: sends the deliveries that it and the jobs behind it are owed, then stops and removes what its lost
 * attempts left. Never throws: the store keeps what is owed, and the sweeper sees to it.
 */
export async function followUp({ job, next }: Settled, { queue, warehouse, exports, log }: FollowUp): Promise<void> {
  const owed = [job, ...next].filter(({ dispatch: isOwed }) => isOwed);
  await Promise.all(owed.map((one) => dispatch(one, queue, log)));
  if (!job.leftovers && job.attempt === 1) return;
  try {
    await clearLeftovers(job, { warehouse, exports });
  } catch (fault) {
    log("WARNING", "Lost attempts could not be cleared up; the sweeper will do it", { jobId: job.id, ...describeFault(fault) });
  }
}
