import type { Outcome, Warehouse } from "../google/bigquery.ts";
import type { Statement } from "../google/statement.ts";
import { startFailure } from "./attempt-failure.ts";

/** How long one delivery waits for the warehouse, in milliseconds, before it hands over to the next. */
const WAIT_MS = 20_000;

/** One statement of an attempt, under the id of its warehouse job. */
export interface Stage {
  readonly id: string;
  readonly statement: Statement;
}

interface AttemptContext {
  readonly labels: Readonly<Record<string, string>>;
  readonly warehouse: Warehouse;
  readonly now: () => Date;
  /** Whether the job still waits for this delivery: asked before each further stage, so that a cancelled one starts nothing more. */
  readonly isStillCurrent: () => Promise<boolean>;
  /** Aborted when this process is to end: then nothing is waited for and no further stage begun. */
  readonly shutdownSignal?: AbortSignal | undefined;
}

/** How an attempt stands after one delivery; `superseded` when its job no longer waits for it. */
export type AttemptOutcome = Outcome | { readonly state: "superseded" };

/**
 * Runs the stages of an attempt one after the other, starting each or attaching to it: done with the first row of each, failed with the
 * first that failed, or running with the progress of all (0 to 100) when the time of one delivery is up, or
 * that of its process. Throws what another delivery may not meet.
 */
export async function runAttempt(
  stages: readonly Stage[],
  { labels, warehouse, now, isStillCurrent, shutdownSignal }: AttemptContext,
): Promise<AttemptOutcome> {
  const until = now().getTime() + WAIT_MS;
  const rows: unknown[] = [];
  const running = (progress: number): AttemptOutcome => ({ state: "running", progress: (100 * rows.length + progress) / stages.length });
  for (const { id, statement } of stages) {
    if (shutdownSignal?.aborted) return running(0);
    if (rows.length > 0 && !(await isStillCurrent())) return { state: "superseded" };
    try {
      await warehouse.start(id, statement, labels);
    } catch (error) {
      const refused = startFailure(error);
      if (refused) return refused;
      throw error;
    }
    const outcome = await warehouse.wait(id, Math.max(1, until - now().getTime()), shutdownSignal);
    if (outcome.state === "failed") return outcome;
    if (outcome.state === "running") return running(outcome.progress);
    rows.push(outcome.rows[0]);
  }
  return { state: "done", rows };
}
