import type { HeadcountsCopy } from "../cloud/headcounts-copy.ts";
import type { Warehouse } from "../cloud/warehouse.ts";
import type { CountryTable } from "../domain/country-rules.ts";
import type { Log } from "../log.ts";
import type { SnapshotStore } from "../stores/snapshots.ts";
import { headcountsOfTickStatement, headcountsStatement, newestTicks, newestTicksStatement } from "../warehouse/headcounts.ts";
import { byCustomer, parseHeadcountRows } from "./headcount-rows.ts";

const WAIT_MS = 60_000;
/** Waits for the statement of a tick, each of WAIT_MS; the next tick comes after five minutes. */
const WAITS_MAX = 4;
/** A job of a tick that ended in an error is started anew this often, under another id. */
const ATTEMPTS_MAX = 3;
/** Snapshots that are written at a time. */
const WRITES_AT_ONCE = 20;

/** What a refresh needs of the world. */
export interface Refresher {
  readonly warehouse: Pick<Warehouse, "start" | "wait" | "query">;
  readonly copy: HeadcountsCopy;
  readonly snapshots: Pick<SnapshotStore, "write">;
  readonly countries: CountryTable;
  readonly log: Log;
}

/**
 * Computes the headcounts of a tick, once however often it is called: the warehouse job's id is made of the tick, and the statement adds
 * nothing when the tick's rows are there. Then writes each customer's snapshot, and the copy in eu. Throws when something stays to be done;
 * calling it again does that.
 */
export async function refresh(tick: Date, { warehouse, copy, snapshots, countries, log }: Refresher): Promise<void> {
  const name = tick.toISOString().replace(/\W/g, "").slice(0, 18);
  const labels = { purpose: "refresh" };
  await compute(tick, name, warehouse, countries, labels);
  const rows = parseHeadcountRows(await warehouse.query(headcountsOfTickStatement(tick), labels));
  const customers = [...byCustomer(rows)];
  for (let first = 0; first < customers.length; first += WRITES_AT_ONCE)
    await Promise.all(customers.slice(first, first + WRITES_AT_ONCE).map(([uid, own]) => snapshots.write(uid, tick, own)));
  if (rows.length > 0) await inAttempts(`refresh_${name}_eu`, (id) => copy.load(id, rows));
  log("INFO", "Headcounts refreshed", { tick: tick.toISOString(), maps: rows.length, customers: customers.length });
}

async function compute(
  tick: Date,
  name: string,
  warehouse: Refresher["warehouse"],
  countries: CountryTable,
  labels: Readonly<Record<string, string>>,
): Promise<void> {
  // Another call may find a newer ledger: it attaches to the first one's job, and an attempt that failed has added nothing.
  const newest = newestTicks(await warehouse.query(newestTicksStatement(tick), labels));
  const statement = headcountsStatement(tick, countries, newest);
  await inAttempts(`refresh_${name}`, async (id) => {
    await warehouse.start(id, statement, labels);
    for (let wait = 0; wait < WAITS_MAX; wait++) {
      const outcome = await warehouse.wait(id, WAIT_MS);
      if (outcome.state !== "running") return outcome.state === "done" ? undefined : `${outcome.reason}: ${outcome.message}`;
    }
    throw new Error(`The refresh of ${tick.toISOString()} takes longer than ${WAITS_MAX * WAIT_MS} ms`);
  });
}

/** Runs a warehouse job until one of its attempts, each with an id of its own, has not failed. `run` gives why an attempt failed, if it did. */
async function inAttempts(name: string, run: (id: string) => Promise<string | undefined>): Promise<void> {
  let failure: string | undefined;
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
    failure = await run(`${name}_${attempt}`);
    if (failure === undefined) return;
  }
  throw new Error(`The job ${name} failed: ${failure}`);
}
