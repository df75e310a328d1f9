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
import { dispatch, jobMessageOf } from "./dispatch.ts";
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
  const ofJobs = (name: string, list: Promise<readonly Job[]>, handle: Chore<Job>["handle"]) =>
    runChore({ name, list, handle, subject: ({ id }) => ({ jobId: id }) }, context);
  const chores = [
    ofJobs("overdue", jobs.overdue(now(), batch), stop),
    ofJobs("untouched", jobs.untouched(before(ENQUEUE_AGAIN_AFTER_MS), batch), resend),
    runChore({ name: "freePlaces", list: jobs.customersWithFreeSlots(), handle: assignSlots, subject: (uid) => ({ uid }) }, context),
    ofJobs("leftovers", jobs.needingCleanUp(before(JOB_IDLE_MS), batch), removeLeftovers),
    ofJobs("expired", jobs.expired(now(), batch), removeResults),
  ];
  const results = await Promise.allSettled(chores);
  log("INFO", "Swept", Object.assign({}, ...results.map((result) => (result.status === "fulfilled" ? result.value : {}))));
  const unlisted = results.find((result) => result.status === "rejected");
  if (unlisted) throw unlisted.reason;
  shutdownSignal?.throwIfAborted();
}

/** What a sweep does with each item of a list. */
interface Chore<Item> {
  /** The field of the log that counts the items. The same with `Faults` counts those for which it failed. */
  readonly name: string;
  readonly list: Promise<readonly Item[]>;
  readonly handle: (item: Item, context: SweepContext) => Promise<void>;
  /** Returns the log fields that name an item. */
  readonly subject: (item: Item) => LogFields;
}

/** Handles all items at once, and returns their counts for the log. Throws only the list's error. */
async function runChore<Item>({ name, list, handle, subject }: Chore<Item>, context: SweepContext): Promise<LogFields> {
  const items = await list;
  const outcomes = await Promise.allSettled(items.map((item) => handle(item, context)));
  let faults = 0;
  for (const [index, item] of items.entries()) {
    const outcome = outcomes[index];
    if (outcome?.status !== "rejected") continue;
    faults++;
    const fields = { chore: name, ...subject(item), ...describeError(outcome.reason) };
    context.log("WARNING", "A chore failed for one item; the next sweep tries again", fields);
  }
  return { [name]: items.length, ...(faults > 0 ? { [`${name}Faults`]: faults } : {}) };
}

async function stop(job: Job, context: SweepContext): Promise<void> {
  const { jobs, now } = context;
  const stopped = await jobs.transition(job, (current) => stopOverdue(current, now()), now());
  if (stopped) await dispatchAndCleanUp(stopped, context);
}

async function resend(job: Job, { jobs, topic, queue, now, log }: SweepContext): Promise<void> {
  if (redeliveryDue(job, now()) === "enqueue") return dispatch(job, queue, log);
  const late = await jobs.update(job.id, (current) => markRepublished(current, now()));
  if (late) await inTrace(late.traceparent, () => topic.publish(jobMessageOf(late)));
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
