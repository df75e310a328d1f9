import type { CountryTable } from "../countries/country-rules.ts";
import type { CountryCoverage } from "../countries/coverage-by-country.ts";
import type { CustomerMap } from "../maps/maps.ts";
import type { CellsRow } from "./map-cells-table.ts";

/** A row of `realtime.monitored_maps`: a version of a map. */
export interface MonitoredRow {
  readonly map_id: string;
  readonly uid: string;
  readonly name: string;
  readonly version: number;
  readonly is_monitored: boolean;
  readonly country_code: string | null;
  readonly geo_type: string | null;
  readonly geo_ids: readonly number[];
  readonly geometry_hash: string | null;
  readonly cell_parts: number | null;
  readonly appended_at: string;
}

/** The fields of a map that determine its row. */
export type Measured = Pick<CustomerMap, "id" | "uid" | "name" | "version" | "isMonitored" | "type" | "geometry" | "ids" | "countryCode">;

/** The cells of a polygon in the warehouse: their name, and how many rows they are. */
export interface StoredCells {
  readonly geometryHash: string;
  readonly parts: number;
}

/** The maximum number of cells per row. */
const CELLS_A_ROW = 20_000;

/**
 * Returns the row of a map's current version. A standard map of a country that is not in the table has no geographies.
 * @param table the rules of the customer's countries
 * @param stored the cells of a monitored polygon; undefined for all other maps
 */
export function monitoredRow(map: Measured, table: CountryTable, stored: StoredCells | undefined, appendedAt: Date): MonitoredRow {
  const { id, uid, name, version, isMonitored } = map;
  const isStandard = isMonitored && map.geometry === null && Object.hasOwn(table, map.countryCode ?? "");
  return {
    ...{ map_id: id, uid, name, version, is_monitored: isMonitored },
    country_code: isStandard ? map.countryCode : null,
    geo_type: isStandard ? map.type : null,
    geo_ids: isStandard ? [...new Set(map.ids ?? [])] : [],
    geometry_hash: stored?.geometryHash ?? null,
    cell_parts: stored?.parts ?? null,
    appended_at: appendedAt.toISOString(),
  };
}

/** Returns the rows of a polygon's cells, of the grid of each country that it reaches: none if it reaches no grid. */
export function cellsRows(
  { uid, geometryHash }: { readonly uid: string; readonly geometryHash: string },
  coverages: readonly CountryCoverage[],
  appendedAt: Date,
): CellsRow[] {
  const pieces = coverages.flatMap(({ country, cells }) =>
    Array.from({ length: Math.ceil(cells.length / CELLS_A_ROW) }, (_, index) => ({
      country_code: country,
      cells: cells.slice(index * CELLS_A_ROW, (index + 1) * CELLS_A_ROW).map(({ cellId, weight }) => ({ cell_id: cellId, weight })),
    })),
  );
  const same = { uid, geometry_hash: geometryHash, parts: pieces.length, appended_at: appendedAt.toISOString() };
  return pieces.map((piece, part) => ({ ...same, part, ...piece }));
}
