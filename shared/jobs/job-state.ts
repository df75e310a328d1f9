/** `expired` follows `completed` when the results are removed; the other terminal states never change. */
export const JOB_STATUSES = ["queued", "running", "completed", "failed", "cancelled", "expired"] as const;
type JobStatus = (typeof JOB_STATUSES)[number];

/** How long a job may take from when it gets its place to its end, whatever happens. Waiting for the place does not count. */
const DEADLINE_MS = 6 * 3_600_000;
/** How long results are kept. */
export const RETENTION_MS = 30 * 86_400_000;
/**
 * How long a job in work may be untouched before its delivery is taken for lost. Longer than a delivery is waited for. One that goes on all the
 * same, since its process was frozen meanwhile, decides nothing and clears up behind itself.
 */
export const JOB_IDLE_MS = 5 * 60_000;
/** How often the warehouse may fail a job with an error worth repeating. */
export const ATTEMPTS_MAX = 3;
/** What the customer is told of a job that was given up on. */
const UNDELIVERABLE =
  "The job could not be processed and was reported to the operator; please submit it again, and name the job to support if it fails again";

/**
 * The life of an aggregation job, without its request and results. `attempt` counts runs in the warehouse; `step` counts deliveries of one
 * attempt. A delivery carries both, and one that does not match is stale. `placed` is one of the customer's places in work;
 * `dispatch` is set from when a delivery of this step is owed until it arrives, so that one that was lost on its way can be sent again.
 * `resends` counts how often that delivery was published again since one was last seen to arrive. `deadlineAt` is null until it has its place.
 * `leftovers` is set on a job that is over while the warehouse or the bucket may hold something that nobody is to have: of attempts that did
 * not win, or results that have expired.
 */
export interface JobState {
  readonly status: JobStatus;
  readonly progress: number;
  readonly attempt: number;
  readonly step: number;
  readonly placed: boolean;
  readonly dispatch: boolean;
  readonly resends: number;
  readonly leftovers: boolean;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
  readonly touchedAt: Date;
  readonly deadlineAt: Date | null;
  readonly expireAt: Date | null;
  readonly error: string | null;
}

/** How an attempt failed: whether another one may succeed, and what the customer is told if none does. */
export interface Failure {
  readonly isRetryable: boolean;
  readonly error: string;
}

/** Which delivery of a job a message stands for. */
export interface Delivery {
  readonly attempt: number;
  readonly step: number;
}

/** A new job. With a place it is owed its first delivery at once; without one it waits for its turn. */
export function newJob(now: Date, placed: boolean): JobState {
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
  };
}

/** Whether nothing but expiry can happen to the job any more. */
export function isOver({ status }: Pick<JobState, "status">): boolean {
  return status !== "queued" && status !== "running";
}

/** Whether a delivery is the one that the job waits for. Duplicates of it are current too: the warehouse's job id makes them harmless. */
export function isCurrent(job: JobState, delivery: Delivery): boolean {
  return !isOver(job) && job.placed && job.attempt === delivery.attempt && job.step === delivery.step;
}

/** Whether the job waits for one of its customer's places in work. */
export function isWaitingForSlot(job: JobState): boolean {
  return !isOver(job) && !job.placed;
}

/** A place has become free: the waiting job takes it and is owed a delivery. Undefined when it waits for none. */
export function takeSlot<J extends JobState>(job: J, now: Date): J | undefined {
  return isWaitingForSlot(job)
    ? { ...job, placed: true, dispatch: true, resends: 0, touchedAt: now, deadlineAt: deadline(now) }
    : undefined;
}

/** Work begins. Undefined when the delivery is stale; a repeated one changes only the touch. */
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

/** The warehouse still works: the next step is owed. Progress (0 to 99) never goes back. */
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
 * The warehouse failed the attempt. If that is worth repeating and an attempt is left, a new one is owed, under new warehouse job ids; else
 * the job has failed with `error`, which is for the customer's eyes. Undefined when the delivery is stale: it decides nothing.
 */
export function retryOrFail<J extends JobState>(job: J, delivery: Delivery, failure: Failure, now: Date): J | undefined {
  if (!isCurrent(job, delivery)) return undefined;
  if (failure.isRetryable && job.attempt < ATTEMPTS_MAX)
    return { ...job, attempt: job.attempt + 1, step: 0, dispatch: true, resends: 0, touchedAt: now };
  return { ...end(job, "failed", now), error: failure.error };
}

/**
 * The delivery that the job waits for was tried as often as the topic tries one, and every time it failed: the job has failed. Undefined when
 * the delivery is stale: the job has moved on since, so it was processed after all, or another one is on its way.
 */
export function failUndeliverable<J extends JobState>(job: J, delivery: Delivery, now: Date): J | undefined {
  return isCurrent(job, delivery) ? { ...end(job, "failed", now), error: UNDELIVERABLE } : undefined;
}

/** The results are there. Undefined when the delivery is stale: another one's results count, or the job was cancelled. */
export function complete<J extends JobState>(job: J, delivery: Delivery, now: Date): J | undefined {
  if (!isCurrent(job, delivery)) return undefined;
  return {
    ...end(job, "completed", now),
    progress: 100,
    expireAt: new Date(now.getTime() + RETENTION_MS),
  };
}

/** The job has taken longer than any job may, and is failed. Undefined when it has not. */
export function stopOverdue<J extends JobState>(job: J, now: Date): J | undefined {
  if (isOver(job) || job.deadlineAt === null || job.deadlineAt > now) return undefined;
  return { ...end(job, "failed", now), error: "The job took longer than six hours and was stopped" };
}

/** The customer no longer wants it. Undefined when the job is over. */
export function cancel<J extends JobState>(job: J, now: Date): J | undefined {
  return isOver(job) ? undefined : end(job, "cancelled", now);
}

/** Nobody is told of the results any more, and they are left over. Undefined for anything but a completed job past its retention. */
export function expire<J extends JobState>(job: J, now: Date): J | undefined {
  return job.status === "completed" && job.expireAt !== null && job.expireAt <= now
    ? { ...job, status: "expired", leftovers: true, touchedAt: now }
    : undefined;
}

/** What was left over is gone. Undefined while somebody may still be at work on one. */
export function markCleanedUp<J extends JobState>(job: J, now: Date): J | undefined {
  const isQuiet = now.getTime() - job.touchedAt.getTime() >= JOB_IDLE_MS;
  return isOver(job) && job.leftovers && isQuiet ? { ...job, leftovers: false } : undefined;
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
  };
}
