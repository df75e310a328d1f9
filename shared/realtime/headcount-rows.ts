import * as v from "valibot";
import { type Statement, statement } from "../google/statement.ts";
import { type Headcount, RESULTS } from "./headcount.ts";
import { tickParameters } from "./headcounts.ts";
import { CARRY_WITHIN_MS } from "./tick-state.ts";

const Instant = v.pipe(
  v.object({ value: v.string() }),
  v.transform(({ value }) => new Date(value).toISOString()),
);

/** A row of `realtime.headcounts` as the warehouse returns it. Times become ISO 8601 text. */
export const HeadcountRow = v.object({
  tick: Instant,
  timestamp: Instant,
  uid: v.string(),
  target_id: v.string(),
  target_name: v.string(),
  people_count: v.number(),
  result: v.picklist(RESULTS),
});

export type HeadcountRow = v.InferOutput<typeof HeadcountRow>;

/** Identifies a headcount of a map that was measured by itself, among those of its tick. */
export function measurementKey(row: Pick<HeadcountRow, "target_id" | "tick">): string {
  return `${row.target_id} ${row.tick}`;
}

/** Groups headcounts by customer. */
export function groupByCustomer(rows: readonly HeadcountRow[]): Map<string, Headcount[]> {
  const headcounts = new Map<string, Headcount[]>();
  for (const { uid, target_id, target_name, timestamp, people_count, result } of rows) {
    const own = headcounts.get(uid) ?? [];
    own.push({ targetId: target_id, targetName: target_name, timestamp: new Date(timestamp), peopleCount: people_count, result });
    headcounts.set(uid, own);
  }
  return headcounts;
}

/** Returns a query of the row that `headcountsStatement` wrote for a tick and one map of a customer. */
export function headcountOfMapStatement(
  tick: Date,
  { uid, mapId }: { readonly uid: string; readonly mapId: string },
): Statement<HeadcountRow> {
  return statement(
    HeadcountRow,
    `SELECT tick, timestamp, uid, target_id, target_name, people_count, result
FROM \`realtime.headcounts\`
WHERE tick = @tick AND timestamp > @oldest AND timestamp <= @tick AND uid = @uid AND target_id = @map_id`,
    { ...tickParameters(tick), uid: { type: "STRING", value: uid }, map_id: { type: "STRING", value: mapId } },
  );
}

/**
 * Returns a query of a tick's headcounts, and of those of maps that were measured by themselves in the two hours before it. It leaves out
 * other scheduled ticks; `carriedBy` leaves out those that were started by hand.
 */
export function headcountsUpToTickStatement(tick: Date, intervalMs: number): Statement<HeadcountRow> {
  return statement(
    HeadcountRow,
    `SELECT tick, timestamp, uid, target_id, target_name, people_count, result
FROM \`realtime.headcounts\`
WHERE timestamp > @oldest AND timestamp <= @tick
  AND (tick = @tick OR (tick > @carry_since AND tick < @tick AND MOD(UNIX_MILLIS(tick), @interval_ms) != 0))
ORDER BY uid, target_name, target_id, tick`,
    {
      ...tickParameters(tick),
      carry_since: { type: "TIMESTAMP", value: new Date(tick.getTime() - CARRY_WITHIN_MS).toISOString() },
      interval_ms: { type: "INT64", value: intervalMs },
    },
  );
}

/**
 * Returns a query of the headcounts of some customers from the first to the last of these ticks, and of their maps that were measured by themselves
 * in the two hours before.
 */
export function headcountsOfTicksStatement(ticks: readonly Date[], uids: readonly string[]): Statement<HeadcountRow> {
  const times = ticks.map((tick) => tick.getTime());
  const [first, last] = [new Date(Math.min(...times)), new Date(Math.max(...times))];
  return statement(
    HeadcountRow,
    `SELECT tick, timestamp, uid, target_id, target_name, people_count, result
FROM \`realtime.headcounts\`
WHERE timestamp > @oldest AND timestamp <= @last AND tick > @carry_since AND tick <= @last AND uid IN UNNEST(@uids)`,
    {
      oldest: tickParameters(first).oldest,
      last: tickParameters(last).tick,
      carry_since: { type: "TIMESTAMP", value: new Date(first.getTime() - CARRY_WITHIN_MS).toISOString() },
      uids: { type: "ARRAY<STRING>", value: uids },
    },
  );
}
