import type { CountryTable } from "../countries/country-rules.ts";
import type { Warehouse } from "../google/bigquery.ts";
import { invalidFields } from "../http/errors.ts";
import type { CountedShape, Shape } from "../maps/cell-budget.ts";
import { storedPolygon } from "../maps/check-geometry.ts";
import { countriesMeasured } from "../maps/foreign-coverage.ts";
import type { MapChangeStore, PendingMapChange } from "../maps/map-outbox.ts";
import type { CustomerMap } from "../maps/maps.ts";
import { countCells, coverMonitored, TooManyCells } from "../maps/monitored-cells.ts";
import { describeError, type Log } from "../runtime/log.ts";
import { geometryHash, type MapCells } from "./map-cells-table.ts";
import type { MonitoredMaps } from "./monitored-maps-table.ts";
import { cellsRows, type Measured, type MonitoredRow, monitoredRow, type StoredCells } from "./monitored-rows.ts";

/** The dependencies of delivering the end of a map to the warehouse. */
export interface MapEndContext {
  readonly changes: Pick<MapChangeStore, "get" | "markDelivered">;
  readonly monitoredMaps: MonitoredMaps;
  readonly now: () => Date;
}

/** The dependencies of delivering a change to the warehouse. */
export interface MapChangeContext extends MapEndContext {
  readonly getMap: (id: string) => Promise<CustomerMap | undefined>;
  /** Returns the countries whose data the customer may use. */
  readonly countriesOf: (uid: string) => Promise<readonly string[]>;
  readonly mapCells: MapCells;
  readonly countries: CountryTable;
}

/**
 * Delivers a map's current state to the warehouse if it has a pending change: its cells first, unless they stand there, then its version.
 * Returns the number of appended rows. Idempotent, also when called concurrently. Rethrows errors of the warehouse; the change then stays
 * pending.
 */
export async function deliverMapChange(mapId: string, context: MapChangeContext): Promise<number> {
  const change = await context.changes.get(mapId);
  if (!change) return 0;
  const map = await context.getMap(mapId);
  if (!map) return deliver(change, monitoredRow(deletedMap(change), {}, undefined, context.now()), context);
  const table = await tableOf(map.uid, context);
  const begun = context.now();
  const { stored, appended } = await storeCells(map, table, context);
  return appended + (await deliver({ mapId, version: map.version }, monitoredRow(map, table, stored, begun), context));
}

/** Delivers the deletion of a map, which nothing follows. Returns the number of appended rows. Otherwise like `deliverMapChange`. */
export async function deliverMapEnd(mapId: string, context: MapEndContext): Promise<number> {
  const change = await context.changes.get(mapId);
  return change ? deliver(change, monitoredRow(deletedMap(change), {}, undefined, context.now()), context) : 0;
}

/** Tries a delivery and returns the number of appended rows. If it fails, it returns 0 and the sweeper retries. */
export async function tryDelivery(mapId: string, delivery: () => Promise<number>, log: Log): Promise<number> {
  try {
    return await delivery();
  } catch (error) {
    log("WARNING", "A change of monitoring could not be delivered; the sweeper retries it", { mapId, ...describeError(error) });
    return 0;
  }
}

/** Tries to deliver a change now. If it fails, it returns 0 and the sweeper retries. */
export function tryDeliverMapChange(mapId: string, context: MapChangeContext, log: Log): Promise<number> {
  return tryDelivery(mapId, () => deliverMapChange(mapId, context), log);
}

/**
 * Counts the cells of a shape for its customer's budget, and finds in which of the customer's countries it is measured. Throws `invalid_argument` at
 * `pointer` for one that cannot be monitored.
 */
export async function countShape(
  uid: string,
  { type, geometry, ids, countryCode }: Shape & Pick<CustomerMap, "ids">,
  pointer: string,
  context: Pick<MapChangeContext, "countriesOf" | "countries"> & { readonly warehouse: Pick<Warehouse, "query"> },
): Promise<CountedShape> {
  const table = await tableOf(uid, context);
  try {
    const { cells, countries } = await countCells({ geometry, ids, countryCode }, table);
    const measured =
      geometry === null || countries.length < 2 ? countries : await countriesMeasured(geometry, table, context.warehouse, uid);
    return { type, geometry, ids, countryCode, cells, countries: measured };
  } catch (error) {
    throw error instanceof TooManyCells ? invalidFields([{ pointer, detail: error.message }]) : error;
  }
}

async function deliver(
  { mapId, version }: Pick<PendingMapChange, "mapId" | "version">,
  row: MonitoredRow,
  { monitoredMaps, changes }: MapEndContext,
): Promise<number> {
  await monitoredMaps.append(row);
  await changes.markDelivered(mapId, version);
  return 1;
}

/** Appends the cells of a monitored polygon that do not stand in the warehouse. Other maps have none. */
async function storeCells(
  map: Measured,
  table: CountryTable,
  { mapCells, now }: MapChangeContext,
): Promise<{ readonly stored: StoredCells | undefined; readonly appended: number }> {
  const { uid, geometry, isMonitored } = map;
  if (!isMonitored || geometry === null) return { stored: undefined, appended: 0 };
  const hash = geometryHash(uid, geometry, table);
  const standing = await mapCells.standing(uid, hash, now());
  const [first] = standing;
  if (first && standing.length === first.parts) return { stored: { geometryHash: hash, parts: first.parts }, appended: 0 };
  const rows = cellsRows({ uid, geometryHash: hash }, await coverages(geometry, table), now());
  const missing = rows.filter(({ part }) => !standing.some((one) => one.part === part));
  await mapCells.append(missing);
  return { stored: { geometryHash: hash, parts: rows.length }, appended: missing.length };
}

/** A customer's new country can give a map too many cells. It is delivered without cells, so it counts as out of coverage. */
async function coverages(geometry: string, table: CountryTable): ReturnType<typeof coverMonitored> {
  try {
    return await coverMonitored(await storedPolygon(geometry), table);
  } catch (error) {
    if (error instanceof TooManyCells) return [];
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
function deletedMap({ mapId, uid, version }: PendingMapChange): Measured {
  return {
    ...{ id: mapId, uid, name: "", version, isMonitored: false },
    ...{ type: "custom_polygon", geometry: null, ids: null, countryCode: null },
  };
}
