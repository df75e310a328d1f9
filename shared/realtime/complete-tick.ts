import type { CountryTable } from "../countries/country-rules.ts";
import type { Warehouse } from "../google/bigquery.ts";
import { describeError, type Log } from "../runtime/log.ts";
import { abortable } from "../runtime/shutdown-signal.ts";
import type { Headcount } from "./headcount.ts";
import { groupByCustomer } from "./headcount-rows.ts";
import { headcountsOfTickStatement, headcountsStatement, newestTicksStatement } from "./headcounts.ts";
import type { HeadcountsCopy } from "./headcounts-copy.ts";
import type { SnapshotStore } from "./snapshots.ts";
import { ATTEMPTS_MAX, type TickJob, type TickState, tickName } from "./tick-state.ts";
import type { TickStore } from "./ticks.ts";

const WAIT_MS = 60_000;
/** Waits for the statement of a tick, each of WAIT_MS; the next tick comes after five minutes. */
const WAITS_MAX = 4;
/** A job of a tick that ended in an error is started anew by one call until it has failed this often, each time under another id. */
const ATTEMPTS_A_CALL = 3;
/** Snapshots that are written at a time. */
const WRITES_AT_ONCE = 20;
const LABELS = { purpose: "refresh" };

/** What a tick needs of the world. */
export interface TickContext {
  readonly warehouse: Pick<Warehouse, "start" | "wait" | "query">;
  readonly copy: HeadcountsCopy;
  readonly snapshots: Pick<SnapshotStore, "write">;
  readonly ticks: Pick<TickStore, "recordFailure" | "finish" | "abandon">;
  readonly countries: CountryTable;
  readonly now: () => Date;
  readonly log: Log;
  /** Aborted when this process is to end. Left out: it never is. */
  readonly shutdownSignal?: AbortSignal;
}

/** All of a tick is there but for customers of whom a snapshot could not be written: the tick stays owed for them. */
export class SnapshotWritesFailed extends Error {}

/**
 * Does what there is to do for a tick that is owed: its headcounts, each customer's snapshot and the copy in eu; then it is done. Once, however
 * often and by however many at a time it is called: the jobs' ids are made of the tick and an attempt that rises only when the one before has
 * failed, and the statement adds nothing when the tick's rows are there. A tick whose attempts are used up is given up, which is logged as an error.
 * Throws when something stays to be done: `ShuttingDown` when the process is to end, `SnapshotWritesFailed` when all that stays is some customers' own.
 */
export async function completeTick({ tick, attempts }: TickState, context: TickContext): Promise<void> {
  const { warehouse, copy, ticks, log, shutdownSignal } = context;
  const name = `refresh_${tickName(tick)}`;
  if (!(await compute(tick, name, attempts.statement, context))) return;
  const rows = await warehouse.query(headcountsOfTickStatement(tick), LABELS);
  const customers = [...groupByCustomer(rows)];
  const missing = await writeSnapshots(tick, customers, context);
  const copying = { tick, job: "copy", name: `${name}_eu`, first: attempts.copy } as const;
  if (rows.length > 0 && !(await withAttempts(copying, (id) => abortable(copy.load(id, rows), shutdownSignal), context))) return;
  if (missing > 0) throw new SnapshotWritesFailed(`${name}: ${missing} of ${customers.length} snapshots could not be written`);
  await ticks.finish(tick);
  log("INFO", "Headcounts refreshed", { tick: tick.toISOString(), maps: rows.length, customers: customers.length });
}

/** Writes each customer's snapshot, whatever becomes of the others'. Gives how many could not be written; each is logged as an error. */
async function writeSnapshots(
  tick: Date,
  customers: readonly (readonly [uid: string, rows: readonly Headcount[]])[],
  { snapshots, now, log, shutdownSignal }: TickContext,
): Promise<number> {
  let missing = 0;
  const write = async (uid: string, rows: readonly Headcount[]): Promise<void> => {
    try {
      await snapshots.write(uid, tick, rows, now());
    } catch (fault) {
      missing++;
      log("ERROR", "A customer's headcounts cannot be shown", { uid, tick: tick.toISOString(), ...describeError(fault) });
    }
  };
  for (let first = 0; first < customers.length; first += WRITES_AT_ONCE) {
    shutdownSignal?.throwIfAborted();
    await Promise.all(customers.slice(first, first + WRITES_AT_ONCE).map(([uid, rows]) => write(uid, rows)));
  }
  return missing;
}

/** Gives whether the tick's headcounts are there; false when it is given up. */
async function compute(tick: Date, name: string, first: number, context: TickContext): Promise<boolean> {
  const { warehouse, countries, shutdownSignal } = context;
  // Another call may find a newer ledger: it attaches to the first one's job, and an attempt that failed has added nothing.
  const newest = await warehouse.query(newestTicksStatement(tick), LABELS);
  const statement = headcountsStatement(tick, countries, newest);
  const run = async (id: string): Promise<string | undefined> => {
    await warehouse.start(id, statement, LABELS);
    for (let wait = 0; wait < WAITS_MAX; wait++) {
      const outcome = await warehouse.wait(id, statement, WAIT_MS, shutdownSignal);
      if (outcome.state !== "running") return outcome.state === "done" ? undefined : `${outcome.reason}: ${outcome.message}`;
      shutdownSignal?.throwIfAborted();
    }
    throw new Error(`The refresh of ${tick.toISOString()} takes longer than ${WAITS_MAX * WAIT_MS} ms`);
  };
  return withAttempts({ tick, job: "statement", name, first }, run, context);
}

interface Attempts {
  readonly tick: Date;
  readonly job: TickJob;
  readonly name: string;
  readonly first: number;
}

/**
 * Runs a warehouse job until one of its attempts, each with an id of its own, has not failed. `run` gives why an attempt failed, if it did.
 * Gives false when no attempt is left and the tick is given up.
 */
async function withAttempts(
  { tick, job, name, first }: Attempts,
  run: (id: string) => Promise<string | undefined>,
  { ticks, log }: TickContext,
): Promise<boolean> {
  let failure: string | undefined;
  let attempt = first;
  for (let tries = 0; tries < ATTEMPTS_A_CALL && attempt <= ATTEMPTS_MAX; tries++) {
    failure = await run(`${name}_${attempt}`);
    if (failure === undefined) return true;
    attempt = await ticks.recordFailure(tick, job, attempt);
  }
  if (attempt <= ATTEMPTS_MAX) throw new Error(`The job ${name} failed: ${failure}`);
  // Said before it is done: a process that dies between the two leaves a tick that is given up again, and not one that nobody heard of.
  log("ERROR", "A tick is given up", { tick: tick.toISOString(), reason: `${job}: too many attempts`, failure });
  await ticks.abandon(tick);
  return false;
}
