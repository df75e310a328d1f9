import type { CountryTable } from "../countries/country-rules.ts";
import type { Warehouse } from "../google/bigquery.ts";
import { describeError, type Log } from "../runtime/log.ts";
import type { CustomerTable, CustomerTables } from "./customer-tables.ts";
import type { Headcount } from "./headcount.ts";
import {
  groupByCustomer,
  type HeadcountRow,
  headcountsOfTicksStatement,
  headcountsUpToTickStatement,
  measurementKey,
} from "./headcount-rows.ts";
import { headcountsStatement, newestTicksStatement } from "./headcounts.ts";
import { dueGroups, loadCustomerTables, loadGroupOf, ticksBetweenLoads } from "./load-customer-tables.ts";
import type { SnapshotStore } from "./snapshots.ts";
import { ATTEMPTS_MAX, type TickJob, type TickState, tickName } from "./tick-state.ts";
import type { TakenShare, TickStore } from "./ticks.ts";

const WAIT_MS = 60_000;
/** How often one call waits for a tick's statement, WAIT_MS each. The next tick comes after five minutes. */
const WAITS_MAX = 4;
/** How often one call attempts a failing job of a tick. Each attempt has a new id. */
const ATTEMPTS_A_CALL = 3;
/** How many snapshots are written concurrently. */
const WRITES_AT_ONCE = 20;
const LABELS = { customer: "all", purpose: "refresh" };

/** The dependencies of completing a tick. */
export interface TickContext {
  readonly warehouse: Pick<Warehouse, "start" | "wait" | "query">;
  readonly tables: Pick<CustomerTables, "list" | "load" | "held">;
  readonly snapshots: Pick<SnapshotStore, "write">;
  readonly ticks: Pick<TickStore, "recordFailure" | "carry" | "takeOn" | "finish" | "abandon">;
  readonly countries: CountryTable;
  /** The time between two scheduled ticks, in milliseconds. */
  readonly intervalMs: number;
  /** The load jobs of customers' tables that may run a day. Beyond that, tables are loaded less often than at each tick. */
  readonly loadJobsADayMax: number;
  readonly now: () => Date;
  readonly log: Log;
  /** Aborts when this process shuts down. Left out: it never does. */
  readonly shutdownSignal?: AbortSignal;
}

/** Only some customers lack a tick: their snapshots could not be written, or their tables not be loaded. The tick stays pending. */
export class CustomersLackTick extends Error {}

/**
 * Completes a pending tick: computes its headcounts, writes each customer's snapshot, loads the customers' tables that are due with what has
 * gathered for them, then marks it done.
 * Idempotent, also when called concurrently: job ids consist of the tick and an attempt number that increases only after a failure, and the
 * statement adds nothing if the tick's rows exist. If no attempts are left, it gives up the tick and logs an error. Throws if work remains:
 * `ShuttingDown` on shutdown, `CustomersLackTick` if only some customers' snapshots or loads are missing.
 */
export async function completeTick({ tick, attempts }: TickState, context: TickContext): Promise<void> {
  const { warehouse, ticks, intervalMs, log } = context;
  const name = `refresh_${tickName(tick)}`;
  if (!(await compute(tick, name, attempts.statement, context))) return;
  const found = await warehouse.query(headcountsUpToTickStatement(tick, intervalMs), LABELS);
  const { own: rows = [], other = [] } = Object.groupBy(found, (row) => (Date.parse(row.tick) === tick.getTime() ? "own" : "other"));
  const customers = [...groupByCustomer(rows)];
  const missing = await writeSnapshots(tick, customers, context);
  const unloaded = await loadDueTables(tick, [...rows, ...(await carriedRows(tick, other, ticks))], context);
  if (missing > 0) throw new CustomersLackTick(`${name}: ${missing} of ${customers.length} snapshots could not be written`);
  if (unloaded > 0) throw new CustomersLackTick(`${name}: ${unloaded} tables of customers could not be loaded`);
  await ticks.finish(tick);
  const ageSeconds = ageOf(tick, context);
  log("INFO", "Headcounts refreshed", { tick: tick.toISOString(), ageSeconds, maps: rows.length, customers: customers.length });
}

/** Returns the age of a tick in whole seconds. A manual tick may be a moment ahead of another process's clock. */
export function ageOf(tick: Date, { now }: Pick<TickContext, "now">): number {
  return Math.max(0, Math.round((now().getTime() - tick.getTime()) / 1000));
}

/**
 * Returns those headcounts of maps measured by themselves that this tick brings into the customers' tables: no other tick does, and each call
 * for this tick returns the same.
 */
async function carriedRows(tick: Date, rows: readonly HeadcountRow[], ticks: Pick<TickStore, "carry">): Promise<readonly HeadcountRow[]> {
  const carried = new Set(
    await ticks.carry(
      tick,
      rows.map((row) => ({ key: measurementKey(row), tick: new Date(row.tick) })),
    ),
  );
  return rows.filter((row) => carried.has(measurementKey(row)));
}

/** Loads the tables that are due at this tick with its rows, `own`, and with those that earlier ticks have left. Returns how many were not loaded. */
async function loadDueTables(tick: Date, own: readonly HeadcountRow[], context: TickContext): Promise<number> {
  const { tables, ticks, intervalMs, loadJobsADayMax, now } = context;
  const listed = await tables.list();
  const due = dueGroups(tick, intervalMs, ticksBetweenLoads(listed.length, intervalMs, loadJobsADayMax));
  const shares = await ticks.takeOn(tick, due, own.length > 0, now());
  const groups = new Set(shares.find((share) => share.tick.getTime() === tick.getTime())?.groups);
  const left = await leftRows(
    shares.filter((share) => share.tick.getTime() !== tick.getTime()),
    listed,
    context,
  );
  return loadCustomerTables(tick, [...own.filter(({ uid }) => groups.has(loadGroupOf(uid))), ...left], listed, context);
}

/** Returns the rows of earlier ticks that this one has taken on, of customers that have a table. */
async function leftRows(
  shares: readonly TakenShare[],
  listed: readonly CustomerTable[],
  { warehouse }: Pick<TickContext, "warehouse">,
): Promise<readonly HeadcountRow[]> {
  const groups = new Set(shares.flatMap((share) => share.groups));
  const uids = new Set(listed.flatMap(({ uid }) => (groups.has(loadGroupOf(uid)) ? [uid] : [])));
  if (uids.size === 0) return [];
  const ticks = shares.map((share) => share.tick);
  const found = await warehouse.query(headcountsOfTicksStatement(ticks, [...uids].sort()), LABELS);
  // By what a row belongs to: its tick, or the tick that carries it.
  const groupsOf = new Map<string, Set<number>>();
  for (const { tick, carried, groups: taken } of shares)
    for (const key of [tick.toISOString(), ...carried]) groupsOf.set(key, new Set([...(groupsOf.get(key) ?? []), ...taken]));
  return found.filter((row) => [row.tick, measurementKey(row)].some((key) => groupsOf.get(key)?.has(loadGroupOf(row.uid))));
}

/** Writes each customer's snapshot, even if others fail. Logs each failure as an error and returns the number of failures. */
async function writeSnapshots(
  tick: Date,
  customers: readonly (readonly [uid: string, rows: readonly Headcount[]])[],
  { snapshots, now, log, shutdownSignal }: TickContext,
): Promise<number> {
  let missing = 0;
  const write = async (uid: string, rows: readonly Headcount[]): Promise<void> => {
    try {
      await snapshots.write(uid, tick, rows, now());
    } catch (error) {
      missing++;
      log("ERROR", "A customer's snapshot could not be written", { uid, tick: tick.toISOString(), ...describeError(error) });
    }
  };
  for (let first = 0; first < customers.length; first += WRITES_AT_ONCE) {
    shutdownSignal?.throwIfAborted();
    await Promise.all(customers.slice(first, first + WRITES_AT_ONCE).map(([uid, rows]) => write(uid, rows)));
  }
  return missing;
}

/** Computes the tick's headcounts. Returns true once they exist, and false if the tick is given up. */
async function compute(tick: Date, name: string, first: number, context: TickContext): Promise<boolean> {
  const { warehouse, countries, shutdownSignal } = context;
  // Another call may read a newer ledger. That is safe: it attaches to the job of the first call, and a failed attempt adds nothing.
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
 * Runs a warehouse job until an attempt succeeds. Each attempt has a new id. `run` returns why an attempt failed, or undefined. Returns
 * false if no attempt is left and the tick is given up.
 */
async function withAttempts(
  { tick, job, name, first }: Attempts,
  run: (id: string) => Promise<string | undefined>,
  context: TickContext,
): Promise<boolean> {
  const { ticks, log } = context;
  let failure: string | undefined;
  let attempt = first;
  for (let tries = 0; tries < ATTEMPTS_A_CALL && attempt <= ATTEMPTS_MAX; tries++) {
    failure = await run(`${name}_${attempt}`);
    if (failure === undefined) return true;
    attempt = await ticks.recordFailure(tick, job, attempt);
  }
  if (attempt <= ATTEMPTS_MAX) throw new Error(`The job ${name} failed: ${failure}`);
  // Log first: if the process dies in between, the tick is given up again. In the other order the log entry could be lost.
  log("ERROR", "A tick is given up", {
    tick: tick.toISOString(),
    ageSeconds: ageOf(tick, context),
    reason: `${job}: too many attempts`,
    failure,
  });
  await ticks.abandon(tick);
  return false;
}
