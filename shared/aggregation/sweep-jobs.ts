import type { Exports } from "../cloud/exports.ts";
import type { TaskQueue } from "../cloud/task-queue.ts";
import type { Topic } from "../cloud/topic.ts";
import type { Warehouse } from "../cloud/warehouse.ts";
import { exportPrefix } from "../domain/export-path.ts";
import { expire, fail, isOverdue, needsDelivery } from "../domain/job-state.ts";
import { describeFault, type Log } from "../log.ts";
import type { Job, JobStore } from "../stores/jobs.ts";
import { dispatch } from "./dispatch.ts";
import { placeOf } from "./export-manifest.ts";
import { warehouseJobIds } from "./run-job.ts";

/** What the sweeper needs of the world. */
export interface Sweeper {
  readonly jobs: JobStore;
  readonly topic: Topic;
  readonly queue: TaskQueue;
  readonly warehouse: Warehouse;
  readonly exports: Exports;
  readonly now: () => Date;
  readonly log: Log;
}

/** How many jobs of a kind one sweep looks at: the next one goes on. */
const BATCH = 500;
const QUIET_MS = 60_000;

/**
 * Sees to what nobody else will: deliveries that were lost are sent again, jobs past their deadline are failed, waiting jobs take free
 * places, results past their retention are removed. One job's fault does not keep the others from being seen to.
 */
export async function sweepJobs(sweeper: Sweeper): Promise<void> {
  const { jobs, now, log } = sweeper;
  const quiet = await jobs.unfinished(new Date(now().getTime() - QUIET_MS), BATCH);
  const expired = await jobs.expired(now(), BATCH);
  const faults = await Promise.all([
    ...quiet.map((job) => attempted(job, () => seeTo(job, sweeper), log)),
    ...expired.map((job) => attempted(job, () => remove(job, sweeper), log)),
  ]);
  log("INFO", "Swept", { quiet: quiet.length, expired: expired.length, faults: faults.filter((failed) => failed).length });
}

async function seeTo(job: Job, { jobs, topic, queue, warehouse, now, log }: Sweeper): Promise<void> {
  if (isOverdue(job, now())) {
    const done = await jobs.end(job, (current) => fail(current, "The job took longer than six hours and was stopped", now()), now());
    if (job.placed) await Promise.all(warehouseJobIds(job).map((id) => warehouse.cancel(id)));
    if (done?.next) await dispatch(done.next, queue, log);
    return;
  }
  if (needsDelivery(job, now())) return topic.publish({ job_id: job.id, attempt: job.attempt, step: job.step });
  const placed = job.placed ? undefined : await jobs.place(job.uid, now());
  if (placed) await dispatch(placed, queue, log);
}

async function remove(job: Job, { jobs, exports, now }: Sweeper): Promise<void> {
  if (job.request.full) await exports.remove(exportPrefix(placeOf(job)));
  await jobs.move(job.id, (current) => {
    const expired = expire(current, now());
    return expired && { ...expired, result: null };
  });
}

async function attempted(job: Job, work: () => Promise<void>, log: Log): Promise<boolean> {
  try {
    await work();
    return false;
  } catch (fault) {
    log("WARNING", "A job could not be seen to; the next sweep tries again", { jobId: job.id, ...describeFault(fault) });
    return true;
  }
}
