import { TABLE_BYTES_MIN } from "../budgets/day-bytes.ts";
import { openWarehouse, type Warehouse } from "../google/bigquery.ts";
import type { PreparedRequest } from "../products/product.ts";
import { type LedgerBytesRow, ledgerBytesStatement } from "../products/product-query.ts";
import type { Config } from "../runtime/config.ts";
import { describeError, type Log } from "../runtime/log.ts";
import { withTimeout } from "../runtime/with-timeout.ts";

/** What a job reserves if the ledger does not answer: a job is accepted while the warehouse is down, but not any number of them. */
const UNKNOWN_BYTES = 10_000_000_000;
/** What a query is billed at least: the least of a table for each of its three, facts, geographies and ledger. */
const QUERY_BYTES_MIN = 3 * TABLE_BYTES_MIN;
/** How long a process keeps what it has read of the ledger. */
const KEPT_MS = 5 * 60_000;
/** How long a submission waits for the ledger, in milliseconds. */
const LEDGER_MS_MAX = 2000;

interface KeptDays {
  readonly readAt: number;
  readonly days: Promise<readonly LedgerBytesRow[]>;
}

/** Returns the bytes that a request's job reserves. Never throws. */
export type ReservedBytes = (prepared: PreparedRequest, uid: string, now: Date, log: Log) => Promise<number>;

export function openReservedBytes(config: Config): ReservedBytes {
  return reservedBytesIn(openWarehouse(config));
}

/**
 * Reads the bytes of a country's table by day from the ledger and sums those of a request's days, once for each of the job's queries that
 * read facts. A dry run would be worse: for a clustered table it tells the bytes of all countries.
 */
export function reservedBytesIn(warehouse: Pick<Warehouse, "query">): ReservedBytes {
  const kept = new Map<string, KeptDays>();
  const daysOf = (country: string, table: string, uid: string, now: Date): KeptDays["days"] => {
    const name = `${country} ${table}`;
    const known = kept.get(name);
    if (known && now.getTime() - known.readAt < KEPT_MS) return known.days;
    const days = warehouse.query(ledgerBytesStatement(country, table), { customer: uid, purpose: "reservation" });
    kept.set(name, { readAt: now.getTime(), days });
    days.catch(() => kept.delete(name));
    return days;
  };
  return async ({ request, query }, uid, now, log) => {
    const { table, parameters } = query();
    const [first, last] = [parameters.first_date?.value ?? "", parameters.last_date?.value ?? ""];
    const scans = request.full ? 2 : 1;
    try {
      const known = await withTimeout(daysOf(request.country_code, table, uid, now), LEDGER_MS_MAX);
      const wanted = known.filter(({ batch_date }) => batch_date >= first && batch_date <= last);
      return scans * (QUERY_BYTES_MIN + wanted.reduce((sum, { bytes }) => sum + bytes, 0));
    } catch (error) {
      log("WARNING", "The ledger could not be asked what a job will read", { uid, ...describeError(error) });
      return UNKNOWN_BYTES;
    }
  };
}
