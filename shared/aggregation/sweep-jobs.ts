import type { Warehouse } from "../google/bigquery.ts";
import type { Exports } from "../google/storage.ts";
import type { JobQueue, JobTopic } from "../jobs/job-queue.ts";
import { expire, JOB_IDLE_MS, markCleanedUp, stopOverdue } from "../jobs/job-state.ts";
import type { Job, JobStore } from "../jobs/jobs.ts";
import { ENQUEUE_AGAIN_AFTER_MS, markRepublished, redeliveryDue } from "../jobs/redelivery-policy.ts";
import { describeError, type Log, type LogFields } from "../runtime/log.ts";
import { dispatchAndCleanUp } from "./after-transition.ts";
import { cleanUp } from "./clean-up.ts";
import { dispatch, messageOf } from "./dispatch.ts";

/** What the sweeper needs of the world. */
export interface SweepContext {
  readonly jobs: JobStore;
  readonly topic: JobTopic;
  readonly queue: JobQueue;
  readonly warehouse: Warehouse;
  readonly exports: Exports;
  /** How many jobs of a kind one sweep looks at: the next one goes on. */
  readonly batch: number;
  readonly now: () => Date;
  readonly log: Log;
  /** Aborted when this process is to end. Left out: it never is. */
  readonly shutdownSignal?: AbortSignal;
}

/**
 * Sees to what nobody else will: deliveries that were lost are sent again, jobs past their deadline are failed, free places go to waiting
 * jobs, results past their retention and what lost attempts left behind are removed. One job's fault, or one kind's, does not keep the
 * others from being seen to; when a kind could not be listed, this throws after all the others. It throws `ShuttingDown` when its process is to
 * end: those in hand are seen to, and the next sweep goes on.
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
      (job) => clearUp(job, context),
      log,
    ),
    chore(
      "expired",
      () => jobs.expired(now(), batch),
      ofJob,
      (job) => remove(job, context),
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
  see: (one: T) => Promise<void>,
  log: Log,
): Promise<LogFields> {
  const found = await list();
  const outcomes = await Promise.allSettled(found.map(see));
  let faults = 0;
  for (const [index, one] of found.entries()) {
    const outcome = outcomes[index];
    if (outcome?.status !== "rejected") continue;
    faults++;
    log("WARNING", "One could not be seen to; the next sweep tries again", { chore: what, ...name(one), ...describeError(outcome.reason) });
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
  if (late) await topic.publish(messageOf(late));
}

async function assignSlots(uid: string, { jobs, queue, now, log }: SweepContext): Promise<void> {
  const placed = await jobs.assignSlots(uid, now());
  await Promise.all(placed.map((job) => dispatch(job, queue, log)));
}

async function clearUp(job: Job, { jobs, warehouse, exports, now }: SweepContext): Promise<void> {
  await cleanUp(job, { warehouse, exports });
  await jobs.update(job.id, (current) => markCleanedUp(current, now()));
}

/** Nobody is told of an export of which a part is gone: first the job says that its results are expired, then they go. */
async function remove(job: Job, { jobs, warehouse, exports, now }: SweepContext): Promise<void> {
  const expired = await jobs.update(job.id, (current) => {
    const over = expire(current, now());
    return over && { ...over, result: null };
  });
  if (expired) await cleanUp(expired, { warehouse, exports });
}
