import type { Warehouse } from "../google/bigquery.ts";
import type { MapChangeStore } from "../maps/map-outbox.ts";
import { describeFault, type Log } from "../runtime/log.ts";
import { type ChangeFinisher, finishChange } from "./deliver-map-change.ts";
import { compactMapsStatement } from "./headcounts.ts";

/** A change is left to whoever made it for this long. */
const OWED_MS = 60_000;
const CHANGES_AT_ONCE = 100;

/** What the sweeper of monitoring needs of the world. */
export interface ChangeSweeper extends ChangeFinisher {
  readonly changes: MapChangeStore;
  readonly warehouse: Pick<Warehouse, "start" | "wait">;
  readonly log: Log;
  /** Aborted when this process is to end. Left out: it never is. */
  readonly stopping?: AbortSignal;
}

/**
 * Tells the warehouse of the changes that it was not told of, each for itself, and once a day removes versions that are superseded. Throws
 * `Stopped` when its process is to end, after the one in hand.
 */
export async function sweepChanges(sweeper: ChangeSweeper): Promise<void> {
  const { changes, now, log, stopping } = sweeper;
  for (const { mapId } of await changes.waiting(new Date(now().getTime() - OWED_MS), CHANGES_AT_ONCE)) {
    stopping?.throwIfAborted();
    try {
      log("INFO", "A change of monitoring was finished", { mapId, rows: await finishChange(mapId, sweeper) });
    } catch (error) {
      log("ERROR", "A change of monitoring could not be finished; a later sweep tries again", { mapId, ...describeFault(error) });
      // To the end of the line: what fails for good must not keep the others from being seen to.
      await changes.postpone(mapId, now());
    }
  }
  stopping?.throwIfAborted();
  await compactDaily(sweeper);
}

/** The warehouse job's id is made of the day: whoever comes first that day does it. */
async function compactDaily({ warehouse, now, log, stopping }: ChangeSweeper): Promise<void> {
  const id = `compact_maps_${now().toISOString().slice(0, 10).replaceAll("-", "")}`;
  await warehouse.start(id, compactMapsStatement(now()), { purpose: "compaction" });
  const outcome = await warehouse.wait(id, 30_000, stopping);
  if (outcome.state === "failed")
    log("WARNING", "Superseded maps were not removed today", { reason: outcome.reason, fault: outcome.message });
}
