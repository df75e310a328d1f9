import { ValiError } from "valibot";
import type { JobMessage } from "../jobs/job-message.ts";
import { failUndeliverable } from "../jobs/job-state.ts";
import type { JobStore } from "../jobs/jobs.ts";
import { describeError } from "../runtime/log.ts";
import { type AfterTransition, dispatchAndCleanUp } from "./after-transition.ts";

/** The dependencies of giving up a job. */
export interface DeadLetterContext extends AfterTransition {
  readonly jobs: Pick<JobStore, "get" | "transition">;
}

/**
 * Fails the job whose delivery the worker could not process, and hands its slot on. A stale delivery changes nothing: its job has moved on
 * or is finished. Logs an ERROR with the job's id, for an alert; `npm run admin -- jobs replay` runs the job again. Throws when a
 * dependency fails: the dead letter is redelivered.
 *
 * The sweeper may have published the same delivery again; that copy is stale from then on. Without a subscription to dead letters, the job
 * ends at its deadline.
 */
export async function failDeadLettered(message: JobMessage, context: DeadLetterContext): Promise<void> {
  const { jobs, now, log } = context;
  const which = { jobId: message.job_id, attempt: message.attempt, step: message.step };
  try {
    const job = await jobs.get(message.job_id);
    const given = job && (await jobs.transition(job, (current) => failUndeliverable(current, message, now()), now()));
    if (!given) return log("INFO", "A dead letter is stale", which);
    log("ERROR", "A job was given up: its delivery failed as often as it may", { ...which, uid: given.job.uid });
    await dispatchAndCleanUp(given, context);
  } catch (error) {
    if (!(error instanceof ValiError)) throw error;
    // An unreadable job cannot be ended, and a redelivery would not help. The sweeper sends it again once it can be read.
    log("ERROR", "The job of a dead letter cannot be read, and holds its slot until it can", { ...which, ...describeError(error) });
  }
}
