import { quotedString } from "@duckdb/node-api";
import { faultColumns } from "./faults.ts";

const MINUTE = 60_000;
const TICK_MINUTES = 5;
/** How far a feed's clock may be ahead. */
const AHEAD_MAX_MS = 5 * MINUTE;
/** `partition_expiration_days` of `intake.presence`, which has hourly partitions. */
const KEPT_DAYS = 2;

/**
 * Returns a query for ticks in the table `rows` that cannot be loaded: not on the five-minute grid, expired, or in the future.
 * A tick has many rows, so each tick is reported once, at its first row.
 * @param column the name of the tick column in messages
 */
export function tickFaults(now: Date, column: string): string {
  const at = (time: number): string => `TIMESTAMPTZ '${new Date(time).toISOString()}'`;
  const oldest = at(now.getTime() - KEPT_DAYS * 24 * 60 * MINUTE);
  const clock = `${now.toISOString().slice(0, 19)}Z by this machine''s clock`;
  const says = `CASE
    WHEN epoch_us(tick) % ${TICK_MINUTES * MINUTE * 1000} <> 0 THEN 'is not a tick: ticks are every ${TICK_MINUTES} minutes from the full hour'
    WHEN date_trunc('hour', tick) <= ${oldest} THEN 'is too old: presence is kept for ${KEPT_DAYS} days from the start of its hour, and it is ${clock}'
    WHEN tick > ${at(now.getTime() + AHEAD_MAX_MS)} THEN 'is more than ${AHEAD_MAX_MS / MINUTE} minutes in the future: it is ${clock}'
  END`;
  const ticks = `SELECT tick, ${says} AS says, min("#") AS first, count(*) AS rows FROM rows GROUP BY tick`;
  return `SELECT ${faultColumns({
    row: "first",
    column: quotedString(column),
    value: "regexp_replace(strftime(tick, '%Y-%m-%dT%H:%M:%S.%fZ'), '\\.?0*Z$', 'Z')",
    says: "concat(says, CASE WHEN rows > 1 THEN concat(' (', rows, ' rows)') END)",
  })} FROM (${ticks}) WHERE says IS NOT NULL`;
}
