import type { Labels, Outcome, Warehouse } from "../google/bigquery.ts";
import { onlyRow } from "../google/statement.ts";
import type { SummaryRow } from "../products/summary.ts";
import { startFailure } from "./attempt-failure.ts";
import type { AttemptStages, Stage } from "./stages.ts";

/** How long one delivery waits for the warehouse before it hands over to the next, in milliseconds. */
const WAIT_MS = 20_000;

interface AttemptContext {
  readonly labels: Labels;
  readonly warehouse: Warehouse;
  readonly now: () => Date;
  /** Returns whether the job still waits for this delivery. Called before each further stage, so that a cancelled job starts no more. */
  readonly isStillCurrent: () => Promise<boolean>;
  /** Aborted when this process is to end. Then the attempt stops waiting and starts no further stage. */
  readonly shutdownSignal?: AbortSignal | undefined;
}

/** An attempt that is not done: it is running, has failed, or its delivery is stale. */
type Unfinished = Exclude<Outcome, { readonly state: "done" }> | { readonly state: "stale" };

/** The state of an attempt after one delivery. */
type AttemptOutcome = Unfinished | { readonly state: "done"; readonly summary: SummaryRow };

/**
 * Runs the stages of an attempt in order, starting each or attaching to it. Returns done with the results, failed with the first failure,
 * stale if the job no longer waits for the delivery, or running with the total progress (0 to 100) when the delivery's time is up or its
 * process is to end. Throws on transient errors: the message is delivered again.
 */
export async function runAttempt({ summary, files }: AttemptStages, context: AttemptContext): Promise<AttemptOutcome> {
  const run = stageRunner(files ? 2 : 1, context);
  const summarised = await run(summary);
  if (summarised.state !== "done") return summarised;
  const row = onlyRow(summarised.rows);
  const exported = files && (await run(files(row)));
  return exported && exported.state !== "done" ? exported : { state: "done", summary: row };
}

/** Returns a function that runs one of `count` stages. Together they wait as long as one delivery may. */
function stageRunner(count: number, { labels, warehouse, now, isStillCurrent, shutdownSignal }: AttemptContext) {
  const until = now().getTime() + WAIT_MS;
  let finished = 0;
  const running = (progress: number) => ({ state: "running" as const, progress: (100 * finished + progress) / count });
  return async <Row>({ id, statement }: Stage<Row>): Promise<Unfinished | Extract<Outcome<Row>, { readonly state: "done" }>> => {
    if (shutdownSignal?.aborted) return running(0);
    if (finished > 0 && !(await isStillCurrent())) return { state: "stale" };
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
