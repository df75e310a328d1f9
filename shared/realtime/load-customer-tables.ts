import { createHash } from "node:crypto";
import { describeError, type Log } from "../runtime/log.ts";
import { ShuttingDown } from "../runtime/shutdown-signal.ts";
import type { CustomerTable, CustomerTables, TableLoadOutcome } from "./customer-tables.ts";
import type { HeadcountRow } from "./headcount-rows.ts";
import { tickName } from "./tick-state.ts";

/** How many loads run concurrently. */
const LOADS_AT_ONCE = 20;
/** How many failing jobs of a load one call starts. */
const ATTEMPTS_A_CALL = 3;
/**
 * A load is given up if its job fails this often, over all calls. A call completes its own tick and three older ones, so ticks that lack
 * only the loads of one customer leave the queue as fast as they enter it, and no other tick waits behind them.
 */
export const LOAD_ATTEMPTS_MAX = 9;

/**
 * The load jobs of customers' tables that a project may run a day: BigQuery has 100,000, failed ones too, and loads of data need some. Source:
 * https://cloud.google.com/bigquery/quotas#load_jobs. `load_jobs_max` of terraform/modules/customer-plan is the same.
 */
export const LOAD_JOBS_A_DAY_MAX = 90_000;
/** Customers are in this many groups, so that a fraction of them is loaded at a tick. It has many divisors. */
export const LOAD_GROUPS = 120;

const GROUPS: readonly number[] = Array.from({ length: LOAD_GROUPS }, (_, group) => group);

/** Returns a customer's group, always the same. */
export function loadGroupOf(uid: string): number {
  return createHash("sha256").update(uid).digest().readUInt32BE() % LOAD_GROUPS;
}

/**
 * Returns every how many ticks a table is loaded: the smallest divisor of `LOAD_GROUPS` with which so many tables take at most so many load jobs a
 * day, else all of them. `load_ticks` of terraform/modules/customer-plan is the same rule.
 */
export function ticksBetweenLoads(tables: number, intervalMs: number, jobsADayMax: number): number {
  const ticksADay = 86_400_000 / intervalMs;
  return GROUPS.find((every) => every > 0 && LOAD_GROUPS % every === 0 && (tables * ticksADay) / every <= jobsADayMax) ?? LOAD_GROUPS;
}

/** Returns the groups whose tables are loaded at a tick: each at one of `every` ticks in turn. */
export function dueGroups(tick: Date, intervalMs: number, every: number): readonly number[] {
  const index = Math.floor(tick.getTime() / intervalMs);
  return GROUPS.filter((group) => (index + group) % every === 0);
}

/** The dependencies of loading customers' tables. */
export interface LoadContext {
  readonly tables: Pick<CustomerTables, "load" | "held">;
  readonly log: Log;
  /** Aborts when this process shuts down. Left out: it never does. */
  readonly shutdownSignal?: AbortSignal;
}

/**
 * What to do with a row of a customer whose table was listed after the row was committed.
 *
 * - `skip`: the fill has not begun. It will read the row.
 * - `load`: the fill leaves out what has this tick.
 * - `wait`: the fill is under way, and may or may not have read the row.
 * - `check`: the fill is done. The table says whether it has read the row.
 */
export type LoadDecision = "skip" | "load" | "wait" | "check";

export function loadDecision({ fill }: Pick<CustomerTable, "fill">, { tick }: Pick<HeadcountRow, "tick">): LoadDecision {
  if (!fill) return "skip";
  if (new Date(tick) >= fill.before) return "load";
  return fill.isDone ? "check" : "wait";
}

/**
 * Loads the rows that a tick has taken on into the tables of their customers, each row once, also when called again or concurrently. The rows
 * must be committed before the tables are listed. A customer without a table has no load. Loads are independent of each other: each failure is
 * logged, with an ERROR if the load is given up. Returns how many loads a later call has to do. Throws `ShuttingDown`.
 */
export async function loadCustomerTables(
  tick: Date,
  rows: readonly HeadcountRow[],
  listed: readonly CustomerTable[],
  context: LoadContext,
): Promise<number> {
  const { log, shutdownSignal } = context;
  const byCustomer = Map.groupBy(rows, ({ uid }) => uid);
  let unfinished = 0;
  const loadOne = async (table: CustomerTable, own: readonly HeadcountRow[]): Promise<void> => {
    const { dataset, uid } = table;
    try {
      shutdownSignal?.throwIfAborted();
      if (!(await loadTick(tick, table, own, context))) unfinished++;
    } catch (error) {
      if (error instanceof ShuttingDown) throw error;
      unfinished++;
      log("ERROR", "A customer's table could not be loaded", { uid, dataset, tick: tick.toISOString(), ...describeError(error) });
    }
  };
  const queue = listed.flatMap((table) => {
    const own = byCustomer.get(table.uid);
    return own ? [{ table, own }] : [];
  });
  // One iterator for all: a load that takes long holds up one of them.
  const waiting = queue.values();
  const work = async (): Promise<void> => {
    for (const { table, own } of waiting) await loadOne(table, own);
  };
  await Promise.all(Array.from({ length: LOADS_AT_ONCE }, work));
  return unfinished;
}

/** Loads a tick's rows of one customer. Returns whether nothing is left to do. */
async function loadTick(tick: Date, table: CustomerTable, rows: readonly HeadcountRow[], context: LoadContext): Promise<boolean> {
  const { tables, log } = context;
  const { dataset, uid } = table;
  const { skip, load = [], wait, check } = Object.groupBy(rows, (row) => loadDecision(table, row));
  if (skip) return true;
  if (wait) return false;
  const held = check ? await tables.held(table, check) : [];
  const lacking = check ? check.filter((row) => !held.some((one) => one.tick === row.tick && one.target_id === row.target_id)) : [];
  if (load.length + lacking.length === 0) return true;
  const name = `refresh_${tickName(tick)}_${dataset}_${uid}`;
  const outcome = await loadOnce(name, table, [...load, ...lacking], context);
  if (outcome === undefined) return true;
  if (!outcome.isGivenUp) throw new Error(`The job ${name} failed: ${outcome.message}`);
  log("ERROR", "A load of a customer's table is given up", { uid, dataset, tick: tick.toISOString(), failure: outcome.message });
  return true;
}

/**
 * Loads rows under the ids `{name}_1`, `{name}_2`, …: the next only after a failure, so at most one succeeds. The jobs themselves say which
 * ids are used. Returns undefined once the rows are loaded, or the table is missing, else why the last job failed. `isGivenUp`: all
 * `LOAD_ATTEMPTS_MAX` have failed. Throws the client's error.
 */
export async function loadOnce(
  name: string,
  table: CustomerTable,
  rows: readonly HeadcountRow[],
  { tables, shutdownSignal }: Pick<LoadContext, "shutdownSignal"> & { readonly tables: Pick<CustomerTables, "load"> },
): Promise<{ readonly message: string; readonly isGivenUp: boolean } | undefined> {
  let message = "";
  let isGivenUp = false;
  for (let attempt = 1, tries = 0; tries < ATTEMPTS_A_CALL && !isGivenUp; attempt++) {
    const outcome: TableLoadOutcome = await tables.load(table, `${name}_${attempt}`, rows, shutdownSignal);
    if (outcome.state === "done") return undefined;
    // A table that was missing may have been created since.
    if (outcome.isMissing && outcome.isNew) return undefined;
    if (outcome.isNew) tries++;
    message = outcome.message;
    isGivenUp = attempt === LOAD_ATTEMPTS_MAX;
  }
  return { message, isGivenUp };
}
