import { createHash } from "node:crypto";
import { type Delivery, isOver, JOB_IDLE_MS, type JobState } from "./job-state.ts";

/** How long a delivery may be owed before it is handed to the queue again, which takes the same one only once. */
export const ENQUEUE_AGAIN_AFTER_MS = 60_000;
/** How often the wait for the next publication doubles: five minutes, then ten, twenty, and forty from then on. */
const DOUBLINGS_MAX = 3;

/**
 * How the delivery that a job waits for has to be sent again: `enqueue` when it may never have reached the queue, `publish`, past the
 * queue, when it must have been lost on its way or with the process that had it. Undefined when it is not late.
 *
 * What is published again need not be lost: while no worker answers at all, the topic holds the first message and nothing touches the job.
 * Then each publication is one more message for the same work. The wait for the next one doubles, so that an outage of two hours makes five
 * of them and not two dozen; all but the first that arrives find their job begun, attach to its work, or are stale.
 */
export function redeliveryDue(job: JobState, now: Date): "enqueue" | "publish" | undefined {
  if (isOver(job) || !job.placed) return undefined;
  const untouched = now.getTime() - job.touchedAt.getTime();
  if (untouched >= JOB_IDLE_MS * 2 ** Math.min(job.resends, DOUBLINGS_MAX)) return "publish";
  return job.dispatch && untouched >= ENQUEUE_AGAIN_AFTER_MS ? "enqueue" : undefined;
}

/** The lost delivery is published again: the job counts as touched, so that the next one is not published before it had its time. */
export function markRepublished<J extends JobState>(job: J, now: Date): J | undefined {
  return redeliveryDue(job, now) === "publish" ? { ...job, resends: job.resends + 1, touchedAt: now } : undefined;
}

/** The longest wait before a new attempt, far below JOB_IDLE_MS: a delivery that is held back must not be taken for lost. */
const ATTEMPT_DELAY_MAX_MS = 120_000;
/** How far a delay may be off to either side, as a share of it: jobs that failed together do not come back together. */
const JITTER = 0.2;

/**
 * How long to hold back the delivery that a job is owed, in milliseconds: nothing for the first; for the attempts after it 10 s, 20 s and so
 * on, doubled each time up to two minutes, so that the warehouse may recover; a second more for each step of a long attempt, up to ten.
 * All but the first with a jitter of a fifth that is made of the delivery itself, so that whoever asks gets the same.
 */
export function deliveryDelayMs({ id, attempt, step }: Delivery & { readonly id: string }): number {
  const delay = step > 0 ? Math.min(step, 10) * 1000 : attempt > 1 ? Math.min(10_000 * 2 ** (attempt - 2), ATTEMPT_DELAY_MAX_MS) : 0;
  return Math.round(delay * (1 + JITTER * (2 * fractionOf(`${id}/${attempt}/${step}`) - 1)));
}

/** A number from 0 to 1 that a text stands for, as good as a random one. */
function fractionOf(text: string): number {
  return createHash("sha256").update(text).digest().readUInt32BE() / 2 ** 32;
}
