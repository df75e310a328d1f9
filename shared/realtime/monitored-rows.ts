import type { CountryTable } from "../countries/country-rules.ts";
import { coverCountries } from "../countries/coverage-by-country.ts";
import { parsePolygon } from "../geometry/wkt.ts";
import type { CustomerMap } from "../maps/maps.ts";
import { tooManyCells } from "../maps/monitored-cells.ts";

/** A row of `realtime.monitored_maps`. */
export interface MonitoredRow {
  readonly map_id: string;
  readonly uid: string;
  readonly name: string;
  readonly version: number;
  readonly part: number;
  readonly is_monitored: boolean;
  readonly country_code: string | null;
  readonly geo_type: string | null;
  readonly geo_ids: readonly number[];
  readonly cells: readonly { readonly cell_id: number; readonly weight: number }[];
  readonly appended_at: string;
}

/** The maximum number of cells per row. */
const CELLS_A_ROW = 20_000;

/** The polygon has too many cells to be measured at every tick. */
export class TooManyCells extends Error {}

/** The fields of a map that determine its rows. */
type Measured = Pick<CustomerMap, "id" | "uid" | "name" | "version" | "isMonitored" | "type" | "geometry" | "ids" | "countryCode">;

/**
 * Returns the rows of a map's current version, part 0 first. A polygon has the covered cells of each country's grid that it reaches. One
 * row without cells stands for an unmonitored map, a polygon that reaches no grid, and a standard map of a country that is not in the
 * table. Throws TooManyCells.
 */
export function monitoredRows(map: Measured, table: CountryTable, appendedAt: Date): MonitoredRow[] {
  const parts = map.isMonitored ? partsOf(map, table) : [NOTHING];
  return parts.map((part, index) => ({
    map_id: map.id,
    uid: map.uid,
    name: map.name,
    version: map.version,
    part: index,
    is_monitored: map.isMonitored,
    ...part,
    appended_at: appendedAt.toISOString(),
  }));
}

type Part = Pick<MonitoredRow, "country_code" | "geo_type" | "geo_ids" | "cells">;

const NOTHING: Part = { country_code: null, geo_type: null, geo_ids: [], cells: [] };

function partsOf(map: Measured, table: CountryTable): Part[] {
  if (map.geometry === null) {
    if (!Object.hasOwn(table, map.countryCode ?? "")) return [NOTHING];
    return [{ country_code: map.countryCode, geo_type: map.type, geo_ids: [...new Set(map.ids ?? [])], cells: [] }];
  }
  const parsed = parsePolygon(map.geometry);
  if (!parsed.ok) throw new Error(`The stored geometry of map ${map.id} is not valid: ${parsed.detail}`);
  const coverages = coverCountries(parsed.polygon, table);
  const refusal = tooManyCells(coverages.reduce((sum, { cells }) => sum + cells.length, 0));
  if (refusal !== undefined) throw new TooManyCells(refusal);
  const parts = coverages.flatMap(({ country, cells }) =>
    Array.from({ length: Math.ceil(cells.length / CELLS_A_ROW) }, (_, index) => ({
      ...NOTHING,
      country_code: country,
      cells: cells.slice(index * CELLS_A_ROW, (index + 1) * CELLS_A_ROW).map(({ cellId, weight }) => ({ cell_id: cellId, weight })),
    })),
  );
  return parts.length > 0 ? parts : [NOTHING];
}
