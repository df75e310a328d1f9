import type { Warehouse } from "../google/bigquery.ts";
import type { MapChangeStore } from "../maps/map-outbox.ts";
import { describeError, type Log } from "../runtime/log.ts";
import { deliverMapChange, type MapChangeContext } from "./deliver-map-change.ts";
import { compactMapsStatement } from "./headcounts.ts";

/** A change is left to whoever made it for this long. */
const DELIVER_AGAIN_AFTER_MS = 60_000;
const CHANGES_AT_ONCE = 100;

/** What the sweeper of monitoring needs of the world. */
export interface SweepContext extends MapChangeContext {
  readonly changes: MapChangeStore;
  readonly warehouse: Pick<Warehouse, "start" | "wait">;
  readonly log: Log;
  /** Aborted when this process is to end. Left out: it never is. */
  readonly shutdownSignal?: AbortSignal;
}

/**
 * Tells the warehouse of the changes that it was not told of, each for itself, and once a day removes versions that are superseded. Throws
 * `ShuttingDown` when its process is to end, after the one in hand.
 */
export async function deliverPendingMapChanges(context: SweepContext): Promise<void> {
  const { changes, now, log, shutdownSignal } = context;
  for (const { mapId } of await changes.waiting(new Date(now().getTime() - DELIVER_AGAIN_AFTER_MS), CHANGES_AT_ONCE)) {
    shutdownSignal?.throwIfAborted();
    try {
      log("INFO", "A change of monitoring was finished", { mapId, rows: await deliverMapChange(mapId, context) });
    } catch (error) {
      log("ERROR", "A change of monitoring could not be finished; a later sweep tries again", { mapId, ...describeError(error) });
      // To the end of the line: what fails for good must not keep the others from being seen to.
      await changes.postpone(mapId, now());
    }
  }
  shutdownSignal?.throwIfAborted();
  await compactDaily(context);
}

/** The warehouse job's id is made of the day: whoever comes first that day does it. */
async function compactDaily({ warehouse, now, log, shutdownSignal }: SweepContext): Promise<void> {
  const id = `compact_maps_${now().toISOString().slice(0, 10).replaceAll("-", "")}`;
  const statement = compactMapsStatement(now());
  await warehouse.start(id, statement, { purpose: "compaction" });
  const outcome = await warehouse.wait(id, statement, 30_000, shutdownSignal);
  if (outcome.state === "failed")
    log("WARNING", "Superseded maps were not removed today", { reason: outcome.reason, fault: outcome.message });
}
