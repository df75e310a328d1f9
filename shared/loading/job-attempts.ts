import { setTimeout as delay } from "node:timers/promises";
import { classifyReason } from "../google/classify-error.ts";

/** A job that is not over. The next delivery of the message attaches to it. */
class StillRunning extends Error {
  constructor(jobId: string) {
    super(`The job ${jobId} is still running; the next delivery continues with it`);
    this.name = "StillRunning";
  }
}

interface FailedJob {
  readonly state: "failed";
  readonly reason: string;
  readonly message: string;
}

type Ended = { readonly state: "done" } | { readonly state: "running" } | FailedJob;

/** BigQuery cancels a transaction that meets another one on the same table. */
const CONFLICT = /aborted due to concurrent update|could not serialize/i;
const ATTEMPTS_MAX = 10;
const PAUSE_MS = 250;

/**
 * Runs a job under ids that follow from `base`: the first again unless it failed for a reason that passes, then a second one, and so on. Returns how
 * it ended. Throws `StillRunning`, or an Error if every attempt failed for such a reason.
 */
export async function inAttempts<Outcome extends Ended>(
  base: string,
  run: (jobId: string) => Promise<Outcome>,
): Promise<Exclude<Outcome, { readonly state: "running" }>> {
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
    const jobId = `${base}_${attempt}`;
    const outcome = await run(jobId);
    if (!isOver(outcome)) throw new StillRunning(jobId);
    if (!isPassing(outcome)) return outcome;
    await delay(PAUSE_MS * attempt);
  }
  throw new Error(`The job ${base} failed ${ATTEMPTS_MAX} times`);
}

function isPassing(outcome: Ended): boolean {
  return outcome.state === "failed" && (classifyReason(outcome.reason) === "retryable" || CONFLICT.test(outcome.message));
}

function isOver<Outcome extends Ended>(outcome: Outcome): outcome is Exclude<Outcome, { readonly state: "running" }> {
  return outcome.state !== "running";
}
