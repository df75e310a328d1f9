import { type Coverage, countCellsInSlices, coverPolygonInSlices, type WorkMeter } from "../geometry/coverage.ts";
import { intersectsGrid } from "../geometry/grid.ts";
import type { Polygon } from "../geometry/polygon.ts";
import { resultOf } from "../geometry/slices.ts";
import type { CountryGrid, CountryTable } from "./country-rules.ts";

/** A polygon's coverage of one country's grid. */
export interface CountryCoverage extends Coverage {
  /** The country's alpha-3 code. Cell ids are unique only within a country. */
  readonly country: string;
}

/** How many cells of a country's grid a polygon covers. */
export interface CountryCells {
  readonly country: string;
  readonly cells: number;
}

/**
 * Returns the coverage of a valid polygon in each country's grid, in the table's order. It omits countries without a covered cell. Grid
 * extents are boxes that reach into neighbouring countries, so only the warehouse knows whether a cell counts people.
 */
export function coverCountries(polygon: Polygon, table: CountryTable): CountryCoverage[] {
  return resultOf(coverCountriesInSlices(polygon, table));
}

/** Does the same in slices: the generator yields between them. */
export function* coverCountriesInSlices(polygon: Polygon, table: CountryTable): Generator<void, CountryCoverage[]> {
  const coverages: CountryCoverage[] = [];
  const meter = { work: 0 };
  for (const [country, { grid }] of Object.entries(table)) {
    if (!grid) continue;
    const coverage = yield* coverBoxes(polygon, grid, meter);
    if (coverage.cells.length > 0) coverages.push({ country, ...coverage });
  }
  return coverages;
}

/** Returns how many cells `coverCountriesInSlices` would give of each country that has any, without keeping them. */
export function* countCellsByCountryInSlices(polygon: Polygon, table: CountryTable): Generator<void, CountryCells[]> {
  const counts: CountryCells[] = [];
  const meter = { work: 0 };
  for (const [country, { grid }] of Object.entries(table)) {
    if (!grid) continue;
    const cells = yield* countBoxes(polygon, grid, meter);
    if (cells > 0) counts.push({ country, cells });
  }
  return counts;
}

/** A cell on the border of two boxes counts once, so that only their cells tell how many there are. */
function* countBoxes(polygon: Polygon, grid: CountryGrid, meter: WorkMeter): Generator<void, number> {
  const { extents, ...one } = grid;
  const [extent, ...others] = extents.filter((box) => intersectsGrid(polygon, { ...one, extent: box }));
  if (!extent) return 0;
  if (others.length > 0) return (yield* coverBoxes(polygon, grid, meter)).cells.length;
  return yield* countCellsInSlices(polygon, { ...one, extent }, meter);
}

/** Returns the coverage over all boxes of a grid. It adds up the parts of a cell on the border of two boxes. */
function* coverBoxes(polygon: Polygon, { extents, ...grid }: CountryGrid, meter: WorkMeter): Generator<void, Coverage> {
  const parts: Coverage[] = [];
  for (const extent of extents) {
    if (!intersectsGrid(polygon, { ...grid, extent })) continue;
    parts.push(yield* coverPolygonInSlices(polygon, { ...grid, extent }, meter));
  }
  const [first, ...others] = parts;
  if (!first || others.length === 0) return first ?? { cells: [], areaSquareMetres: 0 };
  const weights = new Map<number, number>();
  for (const { cellId, weight } of parts.flatMap(({ cells }) => cells))
    weights.set(cellId, Math.min(1, (weights.get(cellId) ?? 0) + weight));
  return {
    cells: [...weights].map(([cellId, weight]) => ({ cellId, weight })),
    areaSquareMetres: parts.reduce((sum, { areaSquareMetres }) => sum + areaSquareMetres, 0),
  };
}
