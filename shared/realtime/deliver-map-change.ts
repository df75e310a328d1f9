import type { CountryTable } from "../countries/country-rules.ts";
import { invalidFields } from "../http/errors.ts";
import type { MapChangeStore, PendingMapChange } from "../maps/map-outbox.ts";
import type { CustomerMap } from "../maps/maps.ts";
import { describeError, type Log } from "../runtime/log.ts";
import type { MonitoredMaps } from "./monitored-maps-table.ts";
import { type MonitoredRow, monitoredRows, TooManyCells } from "./monitored-rows.ts";

/** What telling the warehouse of a change needs of the world. */
export interface MapChangeContext {
  readonly changes: Pick<MapChangeStore, "get" | "markDelivered">;
  readonly getMap: (id: string) => Promise<CustomerMap | undefined>;
  /** The countries whose data the customer may have. */
  readonly countriesOf: (uid: string) => Promise<readonly string[]>;
  readonly monitoredMaps: MonitoredMaps;
  readonly countries: CountryTable;
  readonly now: () => Date;
}

/**
 * Tells the warehouse of a map's present state, if a change of it is owed, and gives the number of rows that were appended. Safe to repeat and
 * to run twice at once. Throws what the warehouse throws; the change stays owed then.
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

/** Tells the warehouse now, as far as that works, and gives the number of rows appended: what fails is done later by the sweeper. */
export async function tryDeliverMapChange(mapId: string, context: MapChangeContext, log: Log): Promise<number> {
  try {
    return await deliverMapChange(mapId, context);
  } catch (error) {
    log("WARNING", "The warehouse was not told of a change of monitoring; the sweeper will do it", { mapId, ...describeError(error) });
    return 0;
  }
}

/** Throws `invalid_argument`, at the field that the request has, for a map that could not be monitored. */
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

/** An edit and a toggle at once may make of two maps that can be measured one that cannot: it is told as out of coverage, and owed no more. */
function rowsOf(map: Parameters<typeof monitoredRows>[0], table: CountryTable, now: Date): MonitoredRow[] {
  try {
    return monitoredRows(map, table, now);
  } catch (error) {
    if (error instanceof TooManyCells) return monitoredRows(map, {}, now);
    throw error;
  }
}

/** The rules of the customer's countries: a polygon that reaches beyond them is measured within them only. */
async function tableOf(
  uid: string,
  { countriesOf, countries }: Pick<MapChangeContext, "countriesOf" | "countries">,
): Promise<CountryTable> {
  const allowed = new Set(await countriesOf(uid));
  return Object.fromEntries(Object.entries(countries).filter(([code]) => allowed.has(code)));
}

/** What is left of a map that was deleted: a version that is not monitored. */
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
