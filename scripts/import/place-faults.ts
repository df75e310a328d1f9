import { quotedString } from "@duckdb/node-api";
import { cellRanges } from "../../shared/countries/cell-ranges.ts";
import type { CountryGrid, CountryTable } from "../../shared/countries/country-rules.ts";
import type { Extent } from "../../shared/geometry/crs.ts";
import { isFeed, type LoadedTable } from "../../shared/products/loaded-tables.ts";
import { faultColumns } from "./faults.ts";
import { coordinatesOf } from "./wkt.ts";

/** How far a centroid may be outside of its outline's extent, degrees: what rounding leaves. */
const ROUNDING_DEGREES = 0.0001;

/** The columns of ids of cells. A geography's id is one only in the types of the grid. */
const CELL_COLUMNS = ["cell_id", "first_cell_id", "last_cell_id"];

interface Placing {
  readonly countries: CountryTable;
  /** The names of the loaded columns. */
  readonly columns: readonly string[];
  /** Returns a column's name for messages. */
  readonly label: (column: string) => string;
}

/**
 * Queries of what describes a country and lies outside of it, over the table `rows`: nobody could ask for it. A country without a grid has no known
 * extent. Of a feed nothing is refused: a tick must not be lost for a cell at sea.
 */
export function placeFaults(table: LoadedTable, { countries, columns, label }: Placing): string[] {
  if (isFeed(table)) return [];
  const grids = Object.entries(countries).flatMap(([code, { grid }]) => (grid === undefined ? [] : [{ code, grid }]));
  const has = (...names: readonly string[]): boolean => names.every((name) => columns.includes(name));
  const query = (column: string, value: string, says: string): string =>
    `SELECT ${faultColumns({ row: '"#"', column: quotedString(label(column)), value: "value", says: "says" })} FROM (
      SELECT "#", ${value} AS value, ${says} AS says FROM rows) WHERE says IS NOT NULL`;
  const isPoint = has("lon", "lat");
  return [
    ...(isPoint
      ? [
          query(
            "lon",
            POINT,
            ofCountry(grids, ({ code, grid }) => pointOutside(code, grid)),
          ),
        ]
      : []),
    ...(isPoint && has("geometry") ? [query("geometry", POINT, outlineElsewhere(label))] : []),
    ...(table.name === "road_links"
      ? [
          query(
            "geometry",
            EXTENT,
            ofCountry(grids, ({ code, grid }) => lineOutside(code, grid)),
          ),
        ]
      : []),
    ...CELL_COLUMNS.filter((name) => has(name)).map((name) =>
      query(
        name,
        `CAST(${name} AS VARCHAR)`,
        ofCountry(grids, ({ code, grid }) => cellOutside(code, grid, name)),
      ),
    ),
    ...(table.name === "geographies"
      ? [
          query(
            "geo_id",
            "CAST(geo_id AS VARCHAR)",
            `CASE WHEN geo_type IN ('grid_250m', 'grid_1000m') THEN ${ofCountry(grids, ({ code, grid }) => cellOutside(code, grid, "geo_id"))} END`,
          ),
        ]
      : []),
  ];
}

/** Returns a query of the cells of a feed in a Parquet file that lie outside of their country: how many, and one of them, by country. */
export function strayCells(parquet: string, countries: CountryTable): string | undefined {
  const grids = Object.entries(countries).flatMap(([code, { grid }]) => (grid === undefined ? [] : [{ code, grid }]));
  if (grids.length === 0) return undefined;
  return `SELECT country_code AS country, count(DISTINCT cell_id) AS cells, min(cell_id) AS example FROM read_parquet(${quotedString(parquet)})
    WHERE ${ofCountry(grids, ({ grid }) => `NOT (${isCellInside(grid, "cell_id")})`)} GROUP BY country_code ORDER BY country_code`;
}

interface CountryWithGrid {
  readonly code: string;
  readonly grid: CountryGrid;
}

const POINT = "concat(lon, ' ', lat)";
const LON = coordinatesOf("geometry", "lon");
const LAT = coordinatesOf("geometry", "lat");
const side = (of: "list_min" | "list_max", list: string): string => `round(${of}(${list}), 5)`;
const EXTENT = `concat(${side("list_min", LON)}, ' ', ${side("list_min", LAT)}, ' to ', ${side("list_max", LON)}, ' ', ${side("list_max", LAT)})`;
const ADVICE = "correct it, or the extents of the country''s rules";

/** Returns a DuckDB expression by the row's country; NULL for a country without a grid. */
function ofCountry(grids: readonly CountryWithGrid[], of: (country: CountryWithGrid) => string): string {
  if (grids.length === 0) return "CAST(NULL AS VARCHAR)";
  return `CASE country_code ${grids.map((country) => `WHEN ${quotedString(country.code)} THEN ${of(country)}`).join(" ")} END`;
}

function pointOutside(code: string, { extents }: CountryGrid): string {
  const inside = (lon: string, lat: string): string =>
    extents.map(([west, south, east, north]) => `${lon} BETWEEN ${west} AND ${east} AND ${lat} BETWEEN ${south} AND ${north}`).join(" OR ");
  return `CASE WHEN ${inside("lon", "lat")} THEN NULL
    WHEN ${inside("lat", "lon")} THEN 'lies outside of ${code}: longitude and latitude are in each other''s place'
    ELSE 'lies outside of ${code}${extentsOf(extents)}: ${ADVICE}' END`;
}

function lineOutside(code: string, { extents }: CountryGrid): string {
  const touches = (lon: string, lat: string): string =>
    extents
      .map(
        ([west, south, east, north]) =>
          `list_min(${lon}) <= ${east} AND list_max(${lon}) >= ${west} AND list_min(${lat}) <= ${north} AND list_max(${lat}) >= ${south}`,
      )
      .join(" OR ");
  // A faulty geometry is NULL here, and told by its own check.
  return `CASE WHEN geometry IS NULL OR ${touches(LON, LAT)} THEN NULL
    WHEN ${touches(LAT, LON)} THEN 'lies outside of ${code}: longitude and latitude are in each other''s place'
    ELSE 'lies outside of ${code}${extentsOf(extents)}: ${ADVICE}' END`;
}

/** An outline of which the centroid is far is another's, or has its coordinates in the other order. */
function outlineElsewhere(label: (column: string) => string): string {
  const isWithin = (value: string, list: string): string =>
    `${value} BETWEEN list_min(${list}) - ${ROUNDING_DEGREES} AND list_max(${list}) + ${ROUNDING_DEGREES}`;
  const says = `concat('is the ${label("lon").replaceAll("'", "''")} and ${label("lat").replaceAll("'", "''")} of the row, and its outline is elsewhere, within ', ${EXTENT})`;
  return `CASE WHEN geometry IS NULL OR (${isWithin("lon", LON)} AND ${isWithin("lat", LAT)}) THEN NULL ELSE ${says} END`;
}

function cellOutside(code: string, grid: CountryGrid, id: string): string {
  return `CASE WHEN NOT (${isCellInside(grid, id)}) THEN 'is no cell of ${code}: its corner lies outside of the country in ${grid.crs}; ${ADVICE}' END`;
}

function isCellInside(grid: CountryGrid, id: string): string {
  return cellRanges(grid)
    .map(
      ({ west, east, south, north }) =>
        `(${id} // 10000000 BETWEEN ${west} AND ${east} AND ${id} % 10000000 BETWEEN ${south} AND ${north})`,
    )
    .join(" OR ");
}

function extentsOf(extents: readonly Extent[]): string {
  return ` (${extents.map(([west, south, east, north]) => `${west} ${south} to ${east} ${north}`).join(", ")})`;
}
