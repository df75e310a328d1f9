import type { Labels, Outcome, Warehouse } from "../google/bigquery.ts";
import { onlyRow } from "../google/statement.ts";
import type { DataVersionsRow, SummaryRow } from "../products/summary.ts";
import { startFailure } from "./attempt-failure.ts";
import type { AttemptStages, Stage } from "./stages.ts";

/** How long one delivery waits for the warehouse, in milliseconds, before it hands over to the next. */
const WAIT_MS = 20_000;

interface AttemptContext {
  readonly labels: Labels;
  readonly warehouse: Warehouse;
  readonly now: () => Date;
  /** Whether the job still waits for this delivery: asked before each further stage, so that a cancelled one starts nothing more. */
  readonly isStillCurrent: () => Promise<boolean>;
  /** Aborted when this process is to end: then nothing is waited for and no further stage begun. */
  readonly shutdownSignal?: AbortSignal | undefined;
}

/** An attempt that is not done: the warehouse works on it, it failed, or its job no longer waits for it. */
type Unfinished = Exclude<Outcome, { readonly state: "done" }> | { readonly state: "superseded" };

/** How an attempt stands after one delivery. `versionsAfter` are the data versions after the last file of an export was written. */
type AttemptOutcome = Unfinished | { readonly state: "done"; readonly summary: SummaryRow; readonly versionsAfter: DataVersionsRow };

/**
 * Runs the stages of an attempt one after the other, starting each or attaching to it: done with what they gave, failed with the first that failed, or
 * running with the progress of all (0 to 100) when the time of one delivery is up, or that of its process. Throws what another delivery may not
 * meet.
 */
export async function runAttempt({ summary, full }: AttemptStages, context: AttemptContext): Promise<AttemptOutcome> {
  const run = stageRunner(full ? 3 : 1, context);
  const summarised = await run(summary);
  if (summarised.state !== "done") return summarised;
  const row = onlyRow(summarised.rows);
  if (!full) return { state: "done", summary: row, versionsAfter: row };
  const exported = await run(full.files);
  if (exported.state !== "done") return exported;
  const looked = await run(full.dataVersions);
  return looked.state === "done" ? { state: "done", summary: row, versionsAfter: onlyRow(looked.rows) } : looked;
}

/** Runs the stages that it is called with, so many in all. All of them together wait as long as one delivery may. */
function stageRunner(count: number, { labels, warehouse, now, isStillCurrent, shutdownSignal }: AttemptContext) {
  const until = now().getTime() + WAIT_MS;
  let finished = 0;
  const running = (progress: number) => ({ state: "running" as const, progress: (100 * finished + progress) / count });
  return async <Row>({ id, statement }: Stage<Row>): Promise<Unfinished | Extract<Outcome<Row>, { readonly state: "done" }>> => {
    if (shutdownSignal?.aborted) return running(0);
    if (finished > 0 && !(await isStillCurrent())) return { state: "superseded" };
    try {
      await warehouse.start(id, statement, labels);
    } catch (error) {
      const failure = startFailure(error);
      if (failure) return failure;
      throw error;
    }
    const outcome = await warehouse.wait(id, statement, Math.max(1, until - now().getTime()), shutdownSignal);
    if (outcome.state === "running") return running(outcome.progress);
    if (outcome.state === "done") finished++;
    return outcome;
  };
}
