import { type Delivery, isOver, type JobState, QUIET_MS } from "./job-state.ts";

/** How long a delivery may be owed before it is handed to the queue again, which takes the same one only once. */
export const OWED_MS = 60_000;

/**
 * How the delivery that a job waits for has to be sent again: `enqueue` when it may never have reached the queue, `publish`, past the
 * queue, when it must have been lost on its way or with the process that had it. Undefined when it is not late.
 */
export function lateDelivery(job: JobState, now: Date): "enqueue" | "publish" | undefined {
  if (isOver(job) || !job.placed) return undefined;
  const untouched = now.getTime() - job.touchedAt.getTime();
  if (untouched >= QUIET_MS) return "publish";
  return job.dispatch && untouched >= OWED_MS ? "enqueue" : undefined;
}

/** The lost delivery is published again: the job counts as touched, so that the next one is not published before it had its time. */
export function republish<J extends JobState>(job: J, now: Date): J | undefined {
  return lateDelivery(job, now) === "publish" ? { ...job, touchedAt: now } : undefined;
}

/**
 * How long to hold back the delivery that a job is owed, in milliseconds: nothing for the first; a second more for each step of a long
 * attempt, up to ten; ten seconds for each attempt that the warehouse failed, so that it may recover.
 */
export function deliveryDelayMs({ attempt, step }: Delivery): number {
  return step > 0 ? Math.min(step, 10) * 1000 : (attempt - 1) * 10_000;
}
