import type { Warehouse } from "../google/bigquery.ts";
import type { Exports } from "../google/storage.ts";
import type { JobQueue, JobTopic } from "../jobs/job-queue.ts";
import { expire, JOB_IDLE_MS, markCleanedUp, stopOverdue } from "../jobs/job-state.ts";
import type { Job, JobStore } from "../jobs/jobs.ts";
import { ENQUEUE_AGAIN_AFTER_MS, markRepublished, redeliveryDue } from "../jobs/redelivery-policy.ts";
import { describeError, type Log, type LogFields } from "../runtime/log.ts";
import { inTrace } from "../tracing/span.ts";
import { dispatchAndCleanUp } from "./after-transition.ts";
import { cleanUp } from "./clean-up.ts";
import { dispatch, messageOf } from "./dispatch.ts";
import { settleBytes } from "./settle-bytes.ts";

/** The dependencies of the sweeper. */
export interface SweepContext {
  readonly jobs: JobStore;
  readonly topic: JobTopic;
  readonly queue: JobQueue;
  readonly warehouse: Warehouse;
  readonly exports: Exports;
  /** How many jobs of a kind one sweep processes. The next sweep continues. */
  readonly batch: number;
  readonly now: () => Date;
  readonly log: Log;
  /** Aborted when this process is to end. */
  readonly shutdownSignal?: AbortSignal;
}

/**
 * Does what nothing else does: sends lost deliveries again, fails jobs past their deadline, gives free slots to waiting jobs, and removes
 * results past their retention and the leftovers of lost attempts. An error of one job or one chore does not stop the others. If a list
 * fails, this throws after the other chores. Throws `ShuttingDown` when its process is to end, after the listed jobs: the next sweep
 * continues.
 */
export async function sweepJobs(context: SweepContext): Promise<void> {
  const { jobs, batch, now, log, shutdownSignal } = context;
  const before = (milliseconds: number) => new Date(now().getTime() - milliseconds);
  const ofJob = ({ id }: Job) => ({ jobId: id });
  const chores = [
    chore(
      "overdue",
      () => jobs.overdue(now(), batch),
      ofJob,
      (job) => stop(job, context),
      log,
    ),
    chore(
      "untouched",
      () => jobs.untouched(before(ENQUEUE_AGAIN_AFTER_MS), batch),
      ofJob,
      (job) => resend(job, context),
      log,
    ),
    chore(
      "freePlaces",
      () => jobs.customersWithFreeSlots(),
      (uid) => ({ uid }),
      (uid) => assignSlots(uid, context),
      log,
    ),
    chore(
      "leftovers",
      () => jobs.needingCleanUp(before(JOB_IDLE_MS), batch),
      ofJob,
      (job) => removeLeftovers(job, context),
      log,
    ),
    chore(
      "expired",
      () => jobs.expired(now(), batch),
      ofJob,
      (job) => removeResults(job, context),
      log,
    ),
  ];
  const results = await Promise.allSettled(chores);
  log("INFO", "Swept", Object.assign({}, ...results.map((result) => (result.status === "fulfilled" ? result.value : {}))));
  const unlisted = results.find((result) => result.status === "rejected");
  if (unlisted) throw unlisted.reason;
  shutdownSignal?.throwIfAborted();
}

async function chore<T>(
  what: string,
  list: () => Promise<readonly T[]>,
  name: (one: T) => LogFields,
  handle: (one: T) => Promise<void>,
  log: Log,
): Promise<LogFields> {
  const found = await list();
  const outcomes = await Promise.allSettled(found.map(handle));
  let faults = 0;
  for (const [index, one] of found.entries()) {
    const outcome = outcomes[index];
    if (outcome?.status !== "rejected") continue;
    faults++;
    log("WARNING", "A chore failed for one item; the next sweep tries again", {
      chore: what,
      ...name(one),
      ...describeError(outcome.reason),
    });
  }
  return { [what]: found.length, ...(faults > 0 ? { [`${what}Faults`]: faults } : {}) };
}

async function stop(job: Job, context: SweepContext): Promise<void> {
  const { jobs, now } = context;
  const stopped = await jobs.transition(job, (current) => stopOverdue(current, now()), now());
  if (stopped) await dispatchAndCleanUp(stopped, context);
}

async function resend(job: Job, { jobs, topic, queue, now, log }: SweepContext): Promise<void> {
  if (redeliveryDue(job, now()) === "enqueue") return dispatch(job, queue, log);
  const late = await jobs.update(job.id, (current) => markRepublished(current, now()));
  if (late) await inTrace(late.traceparent, () => topic.publish(messageOf(late)));
}

async function assignSlots(uid: string, { jobs, queue, now, log }: SweepContext): Promise<void> {
  const placed = await jobs.assignSlots(uid, now());
  await Promise.all(placed.map((job) => dispatch(job, queue, log)));
}

async function removeLeftovers(job: Job, context: SweepContext): Promise<void> {
  const { jobs, warehouse, exports, now } = context;
  await cleanUp(job, { warehouse, exports });
  if (!(await settleBytes(job, context))) return;
  await jobs.update(job.id, (current) => markCleanedUp(current, now()));
}

/** Expires the job first, then removes its results: an export with missing parts is never served. */
async function removeResults(job: Job, { jobs, warehouse, exports, now }: SweepContext): Promise<void> {
  const expired = await jobs.update(job.id, (current) => {
    const past = expire(current, now());
    return past && { ...past, result: null };
  });
  if (expired) await cleanUp(expired, { warehouse, exports });
}
