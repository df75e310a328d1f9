import type { CountryTable } from "../countries/country-rules.ts";
import { invalidFields } from "../http/errors.ts";
import type { MapChangeStore, PendingMapChange } from "../maps/map-outbox.ts";
import type { CustomerMap } from "../maps/maps.ts";
import { describeError, type Log } from "../runtime/log.ts";
import type { MonitoredMaps } from "./monitored-maps-table.ts";
import { type MonitoredRow, monitoredRows, TooManyCells } from "./monitored-rows.ts";

/** The dependencies of delivering a change to the warehouse. */
export interface MapChangeContext {
  readonly changes: Pick<MapChangeStore, "get" | "markDelivered">;
  readonly getMap: (id: string) => Promise<CustomerMap | undefined>;
  /** Returns the countries whose data the customer may use. */
  readonly countriesOf: (uid: string) => Promise<readonly string[]>;
  readonly monitoredMaps: MonitoredMaps;
  readonly countries: CountryTable;
  readonly now: () => Date;
}

/**
 * Delivers a map's current state to the warehouse if it has a pending change. Returns the number of appended rows. Idempotent, also when
 * called concurrently. Rethrows errors of the warehouse; the change then stays pending.
 */
export async function deliverMapChange(mapId: string, context: MapChangeContext): Promise<number> {
  const change = await context.changes.get(mapId);
  if (!change) return 0;
  const map = await context.getMap(mapId);
  const rows = rowsOf(map ?? deletedMap(change), await tableOf(change.uid, context), context.now());
  await context.monitoredMaps.append(rows);
  await context.changes.markDelivered(mapId, map?.version ?? change.version);
  return rows.length;
}

/** Tries to deliver a change now and returns the number of appended rows. If it fails, it returns 0 and the sweeper retries. */
export async function tryDeliverMapChange(mapId: string, context: MapChangeContext, log: Log): Promise<number> {
  try {
    return await deliverMapChange(mapId, context);
  } catch (error) {
    log("WARNING", "A change of monitoring could not be delivered; the sweeper retries it", { mapId, ...describeError(error) });
    return 0;
  }
}

/** Throws `invalid_argument` at `pointer` for a map that cannot be monitored. */
export async function checkMonitorable(
  map: CustomerMap,
  pointer: string,
  context: Pick<MapChangeContext, "countriesOf" | "countries" | "now">,
): Promise<void> {
  const table = await tableOf(map.uid, context);
  try {
    monitoredRows({ ...map, isMonitored: true }, table, context.now());
  } catch (error) {
    throw error instanceof TooManyCells ? invalidFields([{ pointer, detail: error.message }]) : error;
  }
}

/** A concurrent edit and toggle can make a map that has too many cells. It is delivered without cells, so it counts as out of coverage. */
function rowsOf(map: Parameters<typeof monitoredRows>[0], table: CountryTable, now: Date): MonitoredRow[] {
  try {
    return monitoredRows(map, table, now);
  } catch (error) {
    if (error instanceof TooManyCells) return monitoredRows(map, {}, now);
    throw error;
  }
}

/** Returns the rules of the customer's countries. A polygon that reaches beyond them is measured only within them. */
async function tableOf(
  uid: string,
  { countriesOf, countries }: Pick<MapChangeContext, "countriesOf" | "countries">,
): Promise<CountryTable> {
  const allowed = new Set(await countriesOf(uid));
  return Object.fromEntries(Object.entries(countries).filter(([code]) => allowed.has(code)));
}

/** Returns a deleted map as a version that is not monitored. */
function deletedMap({ mapId, uid, version }: PendingMapChange) {
  return {
    id: mapId,
    uid,
    name: "",
    version,
    isMonitored: false,
    type: "custom_polygon",
    geometry: null,
    ids: null,
    countryCode: null,
  } as const;
}
