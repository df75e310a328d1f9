import { type JobBytes, released } from "./job-bytes.ts";

/** The states of a job. `completed` becomes `expired` when the results are removed. The other terminal states never change. */
export const JOB_STATUSES = ["queued", "running", "completed", "failed", "cancelled", "expired"] as const;
type JobStatus = (typeof JOB_STATUSES)[number];

/** How long a job may take from when it gets its slot. Waiting for the slot does not count. */
const DEADLINE_MS = 6 * 3_600_000;
/** How long results are kept. */
export const RETENTION_MS = 30 * 86_400_000;
/**
 * How long a job with a slot may be untouched before its delivery counts as lost. It is longer than a delivery may take. A delivery that
 * resumes later, because its process was frozen, changes nothing and removes what it wrote.
 */
export const JOB_IDLE_MS = 5 * 60_000;
/** How many attempts a job has when the warehouse fails them with retryable errors. */
export const ATTEMPTS_MAX = 3;
/** The customer's error text for a job that was given up. */
const UNDELIVERABLE =
  "The job could not be processed and was reported to the operator; please submit it again, and name the job to support if it fails again";

/** The state of an aggregation job, without its request and results. A delivery whose `attempt` or `step` does not match is stale. */
export interface JobState {
  readonly status: JobStatus;
  readonly progress: number;
  /** Counts runs in the warehouse, from 1. */
  readonly attempt: number;
  /** Counts deliveries of one attempt, from 0. */
  readonly step: number;
  /** Whether the job holds one of its customer's slots. */
  readonly placed: boolean;
  /** Set until the delivery of this step arrives, so that a lost delivery can be sent again. */
  readonly dispatch: boolean;
  /** How often the delivery was republished since one last arrived. */
  readonly resends: number;
  /** Set on a finished job while the warehouse or the bucket may hold remains of lost attempts, or expired results. */
  readonly leftovers: boolean;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
  readonly touchedAt: Date;
  /** Null until the job has a slot. */
  readonly deadlineAt: Date | null;
  readonly expireAt: Date | null;
  readonly error: string | null;
  /** Null for a job that was stored before bytes were counted. */
  readonly bytes: JobBytes | null;
}

/** How an attempt failed: whether another one may succeed, and the customer's error text if none does. */
export interface Failure {
  readonly isRetryable: boolean;
  readonly error: string;
}

/** Which delivery of a job a message represents. */
export interface Delivery {
  readonly attempt: number;
  readonly step: number;
}

/** Returns a new job. With a slot it awaits its first delivery at once; without one it waits for a slot. */
export function newJob(now: Date, placed: boolean, bytes: JobBytes | null = null): JobState {
  return {
    status: "queued",
    progress: 0,
    attempt: 1,
    step: 0,
    placed,
    dispatch: placed,
    resends: 0,
    leftovers: false,
    createdAt: now,
    startedAt: null,
    finishedAt: null,
    touchedAt: now,
    deadlineAt: placed ? deadline(now) : null,
    expireAt: null,
    error: null,
    bytes,
  };
}

/** Returns whether the job is finished: only expiry can change it. */
export function isOver({ status }: Pick<JobState, "status">): boolean {
  return status !== "queued" && status !== "running";
}

/** Returns whether the job waits for this delivery. Duplicates are current too: the warehouse's job id makes them harmless. */
export function isCurrent(job: JobState, delivery: Delivery): boolean {
  return !isOver(job) && job.placed && job.attempt === delivery.attempt && job.step === delivery.step;
}

/** Returns whether the job waits for one of its customer's slots. */
export function isWaitingForSlot(job: JobState): boolean {
  return !isOver(job) && !job.placed;
}

/** Gives a free slot to a waiting job, which then needs a delivery. Undefined when the job does not wait for a slot. */
export function takeSlot<J extends JobState>(job: J, now: Date): J | undefined {
  return isWaitingForSlot(job)
    ? { ...job, placed: true, dispatch: true, resends: 0, touchedAt: now, deadlineAt: deadline(now) }
    : undefined;
}

/** Marks the job as running. Undefined when the delivery is stale. A repeated delivery only updates `touchedAt`. */
export function begin<J extends JobState>(job: J, delivery: Delivery, now: Date): J | undefined {
  if (!isCurrent(job, delivery)) return undefined;
  return {
    ...job,
    status: "running",
    startedAt: job.startedAt ?? now,
    dispatch: false,
    resends: 0,
    touchedAt: now,
  };
}

/** Moves to the next step while the warehouse still works. Progress (0 to 99) never decreases. Undefined when the delivery is stale. */
export function advance<J extends JobState>(job: J, delivery: Delivery, progress: number, now: Date): J | undefined {
  if (!isCurrent(job, delivery)) return undefined;
  return {
    ...job,
    progress: Math.max(job.progress, Math.min(99, Math.floor(progress))),
    step: job.step + 1,
    dispatch: true,
    resends: 0,
    touchedAt: now,
  };
}

/**
 * Handles an attempt that the warehouse failed. If the failure is retryable and an attempt is left, the next attempt runs under new
 * warehouse job ids. Otherwise the job fails with `error`, which the customer sees. Undefined when the delivery is stale.
 */
export function retryOrFail<J extends JobState>(job: J, delivery: Delivery, failure: Failure, now: Date): J | undefined {
  if (!isCurrent(job, delivery)) return undefined;
  if (failure.isRetryable && job.attempt < ATTEMPTS_MAX)
    return { ...job, attempt: job.attempt + 1, step: 0, dispatch: true, resends: 0, touchedAt: now };
  return { ...end(job, "failed", now), error: failure.error };
}

/**
 * Fails a job whose delivery used up the topic's delivery attempts. Undefined when the delivery is stale: the job has moved on since, so
 * the delivery was processed after all or another one is on its way.
 */
export function failUndeliverable<J extends JobState>(job: J, delivery: Delivery, now: Date): J | undefined {
  return isCurrent(job, delivery) ? { ...end(job, "failed", now), error: UNDELIVERABLE } : undefined;
}

/** Completes the job. Undefined when the delivery is stale: another delivery's results count, or the job was cancelled. */
export function complete<J extends JobState>(job: J, delivery: Delivery, now: Date): J | undefined {
  if (!isCurrent(job, delivery)) return undefined;
  return {
    ...end(job, "completed", now),
    progress: 100,
    expireAt: new Date(now.getTime() + RETENTION_MS),
  };
}

/** Fails a job past its deadline. Undefined for any other job. */
export function stopOverdue<J extends JobState>(job: J, now: Date): J | undefined {
  if (isOver(job) || job.deadlineAt === null || job.deadlineAt > now) return undefined;
  return { ...end(job, "failed", now), error: "The job took longer than six hours and was stopped" };
}

/** Cancels the job for its customer. Undefined when the job is finished. */
export function cancel<J extends JobState>(job: J, now: Date): J | undefined {
  return isOver(job) ? undefined : end(job, "cancelled", now);
}

/** Expires the results: they are no longer served and count as leftovers. Undefined for anything but a completed job past its retention. */
export function expire<J extends JobState>(job: J, now: Date): J | undefined {
  return job.status === "completed" && job.expireAt !== null && job.expireAt <= now
    ? { ...job, status: "expired", leftovers: true, touchedAt: now }
    : undefined;
}

/** Marks the leftovers as removed. Undefined while a delivery may still be working on the job. */
export function markCleanedUp<J extends JobState>(job: J, now: Date): J | undefined {
  const isQuiet = now.getTime() - job.touchedAt.getTime() >= JOB_IDLE_MS;
  return isOver(job) && job.leftovers && isQuiet ? { ...job, leftovers: false } : undefined;
}

/** Returns how long a finished job held its slot, in milliseconds. Undefined if it never had one, or is not finished. */
export function millisecondsWithSlot({ deadlineAt, finishedAt }: Pick<JobState, "deadlineAt" | "finishedAt">): number | undefined {
  return deadlineAt && finishedAt ? finishedAt.getTime() - (deadlineAt.getTime() - DEADLINE_MS) : undefined;
}

function deadline(now: Date): Date {
  return new Date(now.getTime() + DEADLINE_MS);
}

function end<J extends JobState>(job: J, status: JobStatus, now: Date): J {
  return {
    ...job,
    status,
    placed: false,
    dispatch: false,
    leftovers: job.startedAt !== null && (status !== "completed" || job.attempt > 1),
    finishedAt: now,
    touchedAt: now,
    // A job that was started may be billed: what it reserved is settled when that is known.
    bytes: job.startedAt === null ? released(job.bytes) : job.bytes,
  };
}
