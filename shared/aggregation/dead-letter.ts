import { ValiError } from "valibot";
import type { JobMessage } from "../jobs/job-message.ts";
import { failUndeliverable } from "../jobs/job-state.ts";
import type { JobStore } from "../jobs/jobs.ts";
import { describeError } from "../runtime/log.ts";
import { type AfterTransition, dispatchAndCleanUp } from "./after-transition.ts";

/** What giving up on a job needs of the world. */
export interface DeadLetterContext extends AfterTransition {
  readonly jobs: Pick<JobStore, "get" | "transition">;
  readonly now: () => Date;
}

/**
 * Fails the job whose delivery the worker could not process, and hands its place on. A delivery that is stale changes nothing: its job has moved
 * on or is over. What happens to the job is logged as an ERROR with its id, for an alert; `npm run admin -- jobs replay` runs it again.
 * Throws when a dependency failed: the dead letter is delivered again.
 *
 * The sweeper may have published the same delivery a second time; its copy is stale from here on. Where no dead letter ever comes (nobody
 * subscribes to them), the job ends at its deadline.
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
  } catch (fault) {
    if (!(fault instanceof ValiError)) throw fault;
    // It cannot be ended as it is, and would not be read any better the next time: the sweeper sends it again once it can be.
    log("ERROR", "The job of a dead letter cannot be read, and holds its place until it can", { ...which, ...describeError(fault) });
  }
}
