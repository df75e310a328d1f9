import * as v from "valibot";
import type { InteractiveJobs, InteractiveWarehouse } from "../budgets/interactive-warehouse.ts";
import type { CountryTable } from "../countries/country-rules.ts";
import type { Topic } from "../google/pubsub.ts";
import { WholeNumber } from "../http/fields.ts";
import type { CustomerMap, MapStore } from "../maps/maps.ts";
import { isMonitoredAs } from "../maps/monitoring-effect.ts";
import { MapId } from "../maps/schemas.ts";
import type { InTurn } from "../runtime/in-turn.ts";
import { describeError, type Log } from "../runtime/log.ts";
import { parseInstant } from "../runtime/time.ts";
import { groupByCustomer, headcountOfMapStatement } from "./headcount-rows.ts";
import { headcountsStatement, newestTicksStatement } from "./headcounts.ts";
import type { SnapshotStore } from "./snapshots.ts";
import { tickName } from "./tick-state.ts";

/** How long a call waits for the statement of one map. */
const WAIT_MS = 30_000;

const Instant = v.pipe(
  v.string(),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const instant = parseInstant(dataset.value);
    if (instant) return instant;
    addIssue({ message: "must be a time" });
    return NEVER;
  }),
);

/** Asks to measure a version of a map at once: the map as a change at `changed_at` has left it. */
export const MeasureMessage = v.object({ map_id: MapId, version: WholeNumber, changed_at: Instant });
export type MeasureMessage = v.InferOutput<typeof MeasureMessage>;

/** Asks to measure a map as it is after a change that the warehouse knows. If it fails, the next tick measures the map. */
export async function requestMeasurement(topic: Topic, map: Pick<CustomerMap, "id" | "version">, changedAt: Date, log: Log): Promise<void> {
  try {
    await topic.publish({ map_id: map.id, version: map.version, changed_at: changedAt.toISOString() });
  } catch (error) {
    log("WARNING", "A map could not be measured at once; the next tick measures it", { mapId: map.id, ...describeError(error) });
  }
}

/** The dependencies of measuring a map. */
export interface MeasureContext {
  readonly maps: Pick<MapStore, "get">;
  /** What a measurement reads counts for its customer's day. Without bytes left, the next tick measures the map. */
  readonly warehouse: Pick<InteractiveWarehouse, "query"> & InteractiveJobs;
  readonly snapshots: Pick<SnapshotStore, "add">;
  readonly countries: CountryTable;
  /** Runs the measurements of a customer one after the other. Throws for one whose turn comes too late. */
  readonly inTurn: InTurn;
  /** The time between two ticks, in milliseconds: a request that is older is left to a tick. */
  readonly tickMs: number;
  readonly now: () => Date;
  readonly log: Log;
  /** Aborts when this process shuts down. Left out: it never does. */
  readonly shutdownSignal?: AbortSignal;
}

/**
 * Measures one version of a map from the newest complete tick before its change, and shows the headcount to its customer. The headcount has
 * the change as its tick. Idempotent, also when called concurrently: the job's id consists of map, version and tick, and its statement adds
 * nothing if the row exists. Does nothing if the map has changed since, if no tick is complete, or if a tick has passed in the meantime.
 * Never throws: what fails is left to the next tick.
 */
export async function measureMap(message: MeasureMessage, context: MeasureContext): Promise<void> {
  const { map_id: mapId, version, changed_at: tick } = message;
  const { maps, inTurn, now, log, tickMs } = context;
  const subject = { mapId, version };
  try {
    const isLate = now().getTime() - tick.getTime() > tickMs;
    const map = isLate ? undefined : await maps.get(mapId);
    const isSame = isMonitoredAs(map, { uid: map?.uid ?? "", version });
    const outcome =
      map && isSame ? await inTurn(map.uid, () => measure(message, map.uid, context)) : "it has changed, or a tick has measured it";
    log("INFO", outcome === undefined ? "A map was measured at once" : "A map was not measured at once", { ...subject, reason: outcome });
  } catch (error) {
    log("WARNING", "A map could not be measured at once; the next tick measures it", { ...subject, ...describeError(error) });
  }
}

/** Measures a customer's map and shows its headcount. Returns why not, or undefined. */
async function measure(
  { map_id: mapId, version, changed_at: tick }: MeasureMessage,
  uid: string,
  { warehouse, snapshots, countries, shutdownSignal }: MeasureContext,
): Promise<string | undefined> {
  const labels = { customer: uid, purpose: "measure" };
  const newest = await warehouse.query(newestTicksStatement(tick), labels);
  if (newest.length === 0) return "no tick is complete";
  const statement = headcountsStatement(tick, countries, newest, { uid, mapId, version });
  const jobId = `measure_${mapId}_${version}_${tickName(tick)}`;
  const outcome = await warehouse.runJob(jobId, statement, labels, WAIT_MS, shutdownSignal);
  if (outcome.state !== "done") throw new Error(outcome.state === "failed" ? `${outcome.reason}: ${outcome.message}` : "It takes too long");
  const rows = await warehouse.query(headcountOfMapStatement(tick, { uid, mapId }), labels);
  const [headcount] = groupByCustomer(rows).get(uid) ?? [];
  if (!headcount) return "the warehouse knows a newer version";
  return (await snapshots.add(uid, { ...headcount, tick }, version)) ? undefined : "it has changed, or too many maps have";
}
