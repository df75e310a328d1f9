import type { Warehouse } from "../google/bigquery.ts";
import type { MapChangeStore } from "../maps/map-outbox.ts";
import { describeError, type Log } from "../runtime/log.ts";
import { deliverMapChange, type MapChangeContext } from "./deliver-map-change.ts";
import { compactMapsStatement } from "./headcounts.ts";

/** How long the sweeper leaves a change to the request that made it. */
const DELIVER_AGAIN_AFTER_MS = 60_000;
const CHANGES_AT_ONCE = 100;

/** The dependencies of the sweeper of monitoring. */
export interface SweepContext extends MapChangeContext {
  readonly changes: MapChangeStore;
  readonly warehouse: Pick<Warehouse, "start" | "wait">;
  readonly log: Log;
  /** Aborts when this process shuts down. Left out: it never does. */
  readonly shutdownSignal?: AbortSignal;
}

/**
 * Delivers pending changes to the warehouse, each independently, and removes superseded versions once a day. On shutdown it finishes the
 * current change and throws `ShuttingDown`.
 */
export async function deliverPendingMapChanges(context: SweepContext): Promise<void> {
  const { changes, now, log, shutdownSignal } = context;
  for (const { mapId } of await changes.waiting(new Date(now().getTime() - DELIVER_AGAIN_AFTER_MS), CHANGES_AT_ONCE)) {
    shutdownSignal?.throwIfAborted();
    try {
      log("INFO", "A change of monitoring was delivered", { mapId, rows: await deliverMapChange(mapId, context) });
    } catch (error) {
      log("ERROR", "A change of monitoring could not be delivered; a later sweep retries it", { mapId, ...describeError(error) });
      // A change that always fails must not block the others.
      await changes.postpone(mapId, now());
    }
  }
  shutdownSignal?.throwIfAborted();
  await compactDaily(context);
}

/** Runs the compaction at most once a day: the warehouse job's id contains the day. */
async function compactDaily({ warehouse, now, log, shutdownSignal }: SweepContext): Promise<void> {
  const id = `compact_maps_${now().toISOString().slice(0, 10).replaceAll("-", "")}`;
  const statement = compactMapsStatement(now());
  await warehouse.start(id, statement, { customer: "all", purpose: "compaction" });
  const outcome = await warehouse.wait(id, statement, 30_000, shutdownSignal);
  if (outcome.state === "failed")
    log("WARNING", "Superseded maps were not removed today", { reason: outcome.reason, fault: outcome.message });
}
