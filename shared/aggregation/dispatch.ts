import type { JobMessage } from "../jobs/job-message.ts";
import type { JobQueue } from "../jobs/job-queue.ts";
import type { Job } from "../jobs/jobs.ts";
import { deliveryDelayMs } from "../jobs/redelivery-policy.ts";
import { describeError, type Log } from "../runtime/log.ts";

/** The delivery that a job waits for. */
export function messageOf({ id, attempt, step }: Pick<Job, "id" | "attempt" | "step">): JobMessage {
  return { job_id: id, attempt, step };
}

/**
 * Hands the owed delivery of a job to the queue, held back by its delay from when it came to be owed. If that fails the job stays marked as
 * owed one, and the sweeper sends it.
 * @param delay milliseconds; that of the step when left out
 */
export async function dispatch(job: Job, queue: JobQueue, log: Log, delay = deliveryDelayMs(job)): Promise<void> {
  try {
    await queue.enqueue(messageOf(job), delay > 0 ? new Date(job.touchedAt.getTime() + delay) : undefined);
  } catch (error) {
    log("WARNING", "A delivery could not be queued; the sweeper will send it", { jobId: job.id, ...describeError(error) });
  }
}
