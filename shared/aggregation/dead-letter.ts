import { ValiError } from "valibot";
import type { JobMessage } from "../jobs/job-message.ts";
import { giveUpOn } from "../jobs/job-state.ts";
import type { JobStore } from "../jobs/jobs.ts";
import { describeFault } from "../runtime/log.ts";
import { type FollowUp, followUp } from "./after-transition.ts";

/** What giving up on a job needs of the world. */
export interface DeadLetterOffice extends FollowUp {
  readonly jobs: Pick<JobStore, "get" | "settle">;
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
export async function giveUpOnDeadLetter(message: JobMessage, office: DeadLetterOffice): Promise<void> {
  const { jobs, now, log } = office;
  const which = { jobId: message.job_id, attempt: message.attempt, step: message.step };
  try {
    const job = await jobs.get(message.job_id);
    const given = job && (await jobs.settle(job, (current) => giveUpOn(current, message, now()), now()));
    if (!given) return log("INFO", "A dead letter is stale", which);
    log("ERROR", "A job was given up: its delivery failed as often as it may", { ...which, uid: given.job.uid });
    await followUp(given, office);
  } catch (fault) {
    if (!(fault instanceof ValiError)) throw fault;
    // It cannot be ended as it is, and would not be read any better the next time: the sweeper sends it again once it can be.
    log("ERROR", "The job of a dead letter cannot be read, and holds its place until it can", { ...which, ...describeFault(fault) });
  }
}
