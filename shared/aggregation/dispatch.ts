import type { JobMessage } from "../jobs/job-message.ts";
import type { JobQueue } from "../jobs/job-queue.ts";
import type { Job } from "../jobs/jobs.ts";
import { deliveryDelayMs } from "../jobs/redelivery-policy.ts";
import { describeError, type Log } from "../runtime/log.ts";
import { inTrace } from "../tracing/span.ts";

/** Returns the message of the delivery that a job waits for. */
export function jobMessageOf({ id, attempt, step }: Pick<Job, "id" | "attempt" | "step">): JobMessage {
  return { job_id: id, attempt, step };
}

/**
 * Enqueues a job's next delivery, delayed from when the job was last touched. If that fails, the job keeps its `dispatch` mark and the
 * sweeper sends the delivery.
 * @param delay milliseconds, by default the delay of the step
 */
export async function dispatch(job: Job, queue: JobQueue, log: Log, delay = deliveryDelayMs(job)): Promise<void> {
  try {
    const at = delay > 0 ? new Date(job.touchedAt.getTime() + delay) : undefined;
    await inTrace(job.traceparent, () => queue.enqueue(jobMessageOf(job), at));
  } catch (error) {
    log("WARNING", "A delivery could not be queued; the sweeper will send it", { jobId: job.id, ...describeError(error) });
  }
}
