import type { TaskQueue } from "../cloud/task-queue.ts";
import { describeFault, type Log } from "../log.ts";
import type { Job } from "../stores/jobs.ts";

/** Hands the owed delivery of a job to the queue. If that fails the job stays marked as owed one, and the sweeper sends it. */
export async function dispatch(job: Job, queue: TaskQueue, log: Log): Promise<void> {
  try {
    await queue.enqueue({ job_id: job.id, attempt: job.attempt, step: job.step });
  } catch (error) {
    log("WARNING", "A delivery could not be queued; the sweeper will send it", { jobId: job.id, ...describeFault(error) });
  }
}
