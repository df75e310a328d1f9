import type { Warehouse } from "../google/bigquery.ts";
import { NoRow, type Statement, statement } from "../google/statement.ts";
import type { Log } from "../runtime/log.ts";
import { STREAMED_MS } from "./customer-rows.ts";

/**
 * Returns a script that deletes, each as one statement: versions superseded for over two hours; the last version of a map that has long not
 * been monitored; the cells that no version refers to any more. By then no running statement reads them, and streamed rows can be deleted.
 * A delivery that found cells has written its version within an hour (see `standingPartsStatement`).
 */
export function compactStatement(now: Date): Statement<never> {
  return statement(
    NoRow,
    `DELETE FROM \`realtime.monitored_maps\` AS old
WHERE old.appended_at < @before
  AND EXISTS (
    SELECT 1 FROM \`realtime.monitored_maps\` AS newer
    WHERE newer.map_id = old.map_id AND newer.version > old.version AND newer.appended_at < @before
  );
DELETE FROM \`realtime.monitored_maps\` AS ended
WHERE ended.appended_at < @before AND NOT ended.is_monitored
  AND NOT EXISTS (
    SELECT 1 FROM \`realtime.monitored_maps\` AS other
    WHERE other.map_id = ended.map_id AND other.is_monitored
  );
DELETE FROM \`realtime.map_cells\` AS stored
WHERE stored.appended_at < @before
  AND NOT EXISTS (
    SELECT 1 FROM \`realtime.monitored_maps\` AS referring
    WHERE referring.geometry_hash = stored.geometry_hash
  )`,
    { before: { type: "TIMESTAMP", value: new Date(now.getTime() - STREAMED_MS).toISOString() } },
  );
}

/** The dependencies of the compaction. */
interface CompactionContext {
  readonly warehouse: Pick<Warehouse, "start" | "wait">;
  readonly now: () => Date;
  readonly log: Log;
  readonly shutdownSignal?: AbortSignal;
}

/** Runs the compaction at most once an hour: the warehouse job's id contains the hour. One that fails is left to the next hour. */
export async function compactHourly({ warehouse, now, log, shutdownSignal }: CompactionContext): Promise<void> {
  const id = `compact_maps_${now().toISOString().slice(0, 13).replaceAll("-", "")}`;
  const statement = compactStatement(now());
  await warehouse.start(id, statement, { purpose: "compaction" });
  const outcome = await warehouse.wait(id, statement, 30_000, shutdownSignal);
  if (outcome.state === "failed")
    log("WARNING", "Superseded maps were not removed this hour", { reason: outcome.reason, fault: outcome.message });
}
