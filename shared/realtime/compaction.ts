import type { Warehouse } from "../google/bigquery.ts";
import { NoRow, type Statement, statement } from "../google/statement.ts";
import type { Log } from "../runtime/log.ts";
import { STREAMED_MS } from "./customer-rows.ts";

const WAIT_MS = 30_000;
const LABELS = { customer: "all", purpose: "compaction" };

/**
 * Returns the statements of a compaction, to be run one after the other. They delete versions superseded for over two hours; the last version
 * of a map that has not been monitored for as long; the cells that no version refers to any more. By then no running statement reads them, and
 * streamed rows can be deleted. A delivery that found cells has appended its version within an hour (see `standingPartsStatement`).
 */
export function compactionStatements(now: Date): Readonly<Record<"versions" | "ended" | "cells", Statement<never>>> {
  const before = { before: { type: "TIMESTAMP", value: new Date(now.getTime() - STREAMED_MS).toISOString() } } as const;
  return {
    versions: statement(
      NoRow,
      `DELETE FROM \`realtime.monitored_maps\` AS old
WHERE old.appended_at < @before
  AND EXISTS (
    SELECT 1 FROM \`realtime.monitored_maps\` AS newer
    WHERE newer.map_id = old.map_id AND newer.version > old.version AND newer.appended_at < @before
  )`,
      before,
    ),
    ended: statement(
      NoRow,
      `DELETE FROM \`realtime.monitored_maps\` AS ended
WHERE ended.appended_at < @before AND NOT ended.is_monitored
  AND NOT EXISTS (
    SELECT 1 FROM \`realtime.monitored_maps\` AS other
    WHERE other.map_id = ended.map_id AND other.is_monitored
  )`,
      before,
    ),
    cells: statement(
      NoRow,
      `DELETE FROM \`realtime.map_cells\` AS stored
WHERE stored.appended_at < @before
  AND NOT EXISTS (
    SELECT 1 FROM \`realtime.monitored_maps\` AS referring
    WHERE referring.geometry_hash = stored.geometry_hash
  )`,
      before,
    ),
  };
}

/** The dependencies of the compaction. */
interface CompactionContext {
  readonly warehouse: Pick<Warehouse, "start" | "wait">;
  readonly now: () => Date;
  readonly log: Log;
  readonly shutdownSignal?: AbortSignal;
}

/**
 * Runs the compaction at most once an hour: the ids of its warehouse jobs contain the hour. What fails, or takes longer than this call waits,
 * is left to a later call or hour.
 */
export async function compactHourly({ warehouse, now, log, shutdownSignal }: CompactionContext): Promise<void> {
  const hour = now().toISOString().slice(0, 13).replaceAll("-", "");
  for (const [what, statement] of Object.entries(compactionStatements(now()))) {
    const id = `compact_maps_${what}_${hour}`;
    await warehouse.start(id, statement, LABELS);
    const outcome = await warehouse.wait(id, statement, WAIT_MS, shutdownSignal);
    if (outcome.state === "running") return;
    if (outcome.state === "failed")
      log("WARNING", "Superseded maps were not removed this hour", { what, reason: outcome.reason, fault: outcome.message });
  }
}
