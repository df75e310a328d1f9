import { createHash } from "node:crypto";
import { type Delivery, isOver, JOB_IDLE_MS, type JobState } from "./job-state.ts";

/** How long a delivery may be missing before it is enqueued again. The queue takes the same delivery only once. */
export const ENQUEUE_AGAIN_AFTER_MS = 60_000;
/** How often the wait for the next publication doubles: five minutes, then ten, twenty, and forty from there on. */
const DOUBLINGS_MAX = 3;

/**
 * Returns how to send a job's delivery again: `enqueue` when it may never have reached the queue, `publish` (bypassing the queue) when it
 * was lost on its way or with its process. Undefined when it is not late. A republished delivery need not be lost: while no worker answers,
 * the topic holds the first message and nothing touches the job. The wait therefore doubles: a two-hour outage makes five messages, not two
 * dozen. Of these, all but the first to arrive find the job begun and attach to its work, or are stale.
 */
export function redeliveryDue(job: JobState, now: Date): "enqueue" | "publish" | undefined {
  if (isOver(job) || !job.placed) return undefined;
  const untouched = now.getTime() - job.touchedAt.getTime();
  if (untouched >= JOB_IDLE_MS * 2 ** Math.min(job.resends, DOUBLINGS_MAX)) return "publish";
  return job.dispatch && untouched >= ENQUEUE_AGAIN_AFTER_MS ? "enqueue" : undefined;
}

/** Marks a lost delivery as republished. The job counts as touched, so that this delivery has its time before the next. Else undefined. */
export function markRepublished<J extends JobState>(job: J, now: Date): J | undefined {
  return redeliveryDue(job, now) === "publish" ? { ...job, resends: job.resends + 1, touchedAt: now } : undefined;
}

/** The longest wait before a new attempt, far below JOB_IDLE_MS: a delayed delivery must not count as lost. */
const ATTEMPT_DELAY_MS_MAX = 120_000;
/** The jitter of a delay to either side, as a share of it: jobs that failed together do not come back together. */
const JITTER = 0.2;

/**
 * Returns the delay of a job's next delivery in milliseconds: none for the first; 10 s, 20 s and so on for later attempts, doubled up to
 * two minutes, so that the warehouse can recover; one more second for each step of a long attempt, up to ten. The jitter of a fifth is
 * derived from the delivery itself, so every call returns the same delay.
 */
export function deliveryDelayMs({ id, attempt, step }: Delivery & { readonly id: string }): number {
  const jitter = 1 + JITTER * (2 * fractionOf(`${id}/${attempt}/${step}`) - 1);
  return Math.round(meanDelayMs({ attempt, step }) * jitter);
}

function meanDelayMs({ attempt, step }: Delivery): number {
  if (step > 0) return Math.min(step, 10) * 1000;
  return attempt > 1 ? Math.min(10_000 * 2 ** (attempt - 2), ATTEMPT_DELAY_MS_MAX) : 0;
}

/** Maps a text to a uniformly distributed number from 0 to 1, by a hash. */
function fractionOf(text: string): number {
  return createHash("sha256").update(text).digest().readUInt32BE() / 2 ** 32;
}
