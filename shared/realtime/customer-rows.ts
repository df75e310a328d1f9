import * as v from "valibot";
import { NoRow, type Statement, statement } from "../google/statement.ts";

/** BigQuery cannot delete rows streamed less than 90 minutes ago. Two hours is also the limit of `compactionStatements`. */
export const STREAMED_MS = 2 * 3_600_000;

/** Returns a query of the number of a customer's headcounts: one row. */
export function countHeadcountsStatement(uid: string): Statement<{ count: number }> {
  return statement(v.object({ count: v.number() }), "SELECT COUNT(*) AS count FROM `realtime.headcounts` WHERE uid = @uid", {
    uid: { type: "STRING", value: uid },
  });
}

/** Returns a statement that deletes all headcounts of a customer. */
export function deleteHeadcountsStatement(uid: string): Statement<never> {
  return statement(NoRow, "DELETE FROM `realtime.headcounts` WHERE uid = @uid", { uid: { type: "STRING", value: uid } });
}

/** The tables of what is monitored. */
type MonitoredTable = "realtime.monitored_maps" | "realtime.map_cells";

const MonitoredRowCount = v.object({ old: v.number(), recent: v.number() });
export type MonitoredRowCount = v.InferOutput<typeof MonitoredRowCount>;

/** Returns a query of how many rows of a customer's monitored maps and their cells can be deleted now (`old`), and how many are too recent. */
export function countMonitoredStatement(uid: string, now: Date): Statement<MonitoredRowCount> {
  return statement(
    MonitoredRowCount,
    `SELECT COUNTIF(appended_at < @before) AS old, COUNTIF(appended_at >= @before) AS recent
FROM (
  SELECT appended_at FROM \`realtime.monitored_maps\` WHERE uid = @uid
  UNION ALL
  SELECT appended_at FROM \`realtime.map_cells\` WHERE uid = @uid
)`,
    parametersOf(uid, now),
  );
}

/**
 * Returns a statement that deletes those rows of a customer's monitored maps, or of their cells. Newer rows remain; they say that nothing is
 * monitored any more.
 */
export function deleteMonitoredStatement(table: MonitoredTable, uid: string, now: Date): Statement<never> {
  return statement(NoRow, `DELETE FROM \`${table}\` WHERE uid = @uid AND appended_at < @before`, parametersOf(uid, now));
}

function parametersOf(uid: string, now: Date) {
  const before = new Date(now.getTime() - STREAMED_MS).toISOString();
  return { uid: { type: "STRING", value: uid }, before: { type: "TIMESTAMP", value: before } } as const;
}
