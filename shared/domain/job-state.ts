/** `expired` follows `completed` when the results are removed; the other terminal states never change. */
export const JOB_STATUSES = ["queued", "running", "completed", "failed", "cancelled", "expired"] as const;
type JobStatus = (typeof JOB_STATUSES)[number];

/** How long a job may take from submission to its end, whatever happens. */
const DEADLINE_MS = 6 * 3_600_000;
/** How long results are kept. */
export const RETENTION_MS = 30 * 86_400_000;
/** How long a job in work may be quiet: a delivery waits 20 s for the warehouse, so something was lost by then. */
const QUIET_MS = 5 * 60_000;
/** How long a delivery may be owed. */
const OWED_MS = 60_000;
/** How often the warehouse may fail a job with an error worth repeating. */
export const ATTEMPTS_MAX = 3;

/**
 * The life of an aggregation job, without its request and results. `attempt` counts runs in the warehouse; `step` counts deliveries of one
 * attempt. A delivery carries both, and one that does not match is stale. `placed` is one of the customer's places in work;
 * `dispatch` is set from when a delivery
 * of this step is owed until it arrives, so that one that was lost on its way can be sent again.
 */
export interface JobState {
  readonly status: JobStatus;
  readonly progress: number;
  readonly attempt: number;
  readonly step: number;
  readonly placed: boolean;
  readonly dispatch: boolean;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
  readonly touchedAt: Date;
  readonly deadlineAt: Date;
  readonly expireAt: Date | null;
  readonly error: string | null;
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
    createdAt: now,
    startedAt: null,
    finishedAt: null,
    touchedAt: now,
    deadlineAt: new Date(now.getTime() + DEADLINE_MS),
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

/** A place has become free: the waiting job takes it and is owed a delivery. Undefined when it waits for none. */
export function takePlace<J extends JobState>(job: J, now: Date): J | undefined {
  return job.status === "queued" && !job.placed ? { ...job, placed: true, dispatch: true, touchedAt: now } : undefined;
}

/** Work begins. Undefined when the delivery is stale; a repeated one changes only the touch. */
export function begin<J extends JobState>(job: J, delivery: Delivery, now: Date): J | undefined {
  if (!isCurrent(job, delivery)) return undefined;
  return {
    ...job,
    status: "running",
    startedAt: job.startedAt ?? now,
    dispatch: false,
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
    touchedAt: now,
  };
}

/** The warehouse failed in a way worth repeating: a new attempt is owed, under a new warehouse job id. Undefined when none is left. */
export function retry<J extends JobState>(job: J, delivery: Delivery, now: Date): J | undefined {
  if (!isCurrent(job, delivery) || job.attempt >= ATTEMPTS_MAX) return undefined;
  return {
    ...job,
    attempt: job.attempt + 1,
    step: 0,
    dispatch: true,
    touchedAt: now,
  };
}

/** The results are there. Undefined when the delivery is stale: another attempt's results count, or the job was cancelled. */
export function complete<J extends JobState>(job: J, delivery: Pick<Delivery, "attempt">, now: Date): J | undefined {
  if (isOver(job) || job.attempt !== delivery.attempt) return undefined;
  return {
    ...end(job, "completed", now),
    progress: 100,
    expireAt: new Date(now.getTime() + RETENTION_MS),
  };
}

/** The job cannot succeed. `error` is for the customer's eyes. Undefined when the job is over. */
export function fail<J extends JobState>(job: J, error: string, now: Date): J | undefined {
  return isOver(job) ? undefined : { ...end(job, "failed", now), error };
}

/** The customer no longer wants it. Undefined when the job is over. */
export function cancel<J extends JobState>(job: J, now: Date): J | undefined {
  return isOver(job) ? undefined : end(job, "cancelled", now);
}

/** The results are removed. Undefined for anything but a completed job past its retention. */
export function expire<J extends JobState>(job: J, now: Date): J | undefined {
  return job.status === "completed" && job.expireAt !== null && job.expireAt <= now
    ? { ...job, status: "expired", touchedAt: now }
    : undefined;
}

/** Whether the job has taken longer than any job may. */
export function isOverdue(job: JobState, now: Date): boolean {
  return !isOver(job) && job.deadlineAt <= now;
}

/** Whether the delivery that the job waits for must have been lost on its way, or with the process that had it. */
export function needsDelivery(job: JobState, now: Date): boolean {
  return !isOver(job) && job.placed && now.getTime() - job.touchedAt.getTime() >= (job.dispatch ? OWED_MS : QUIET_MS);
}

function end<J extends JobState>(job: J, status: JobStatus, now: Date): J {
  return {
    ...job,
    status,
    placed: false,
    dispatch: false,
    startedAt: job.startedAt,
    finishedAt: now,
    touchedAt: now,
  };
}
