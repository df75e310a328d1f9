import { type Coverage, coverPolygonInSlices, type WorkMeter } from "../geometry/coverage.ts";
import { intersectsGrid } from "../geometry/grid.ts";
import type { Polygon } from "../geometry/polygon.ts";
import { resultOf } from "../geometry/slices.ts";
import type { CountryGrid, CountryTable } from "./country-rules.ts";

/** A polygon's coverage of one country's grid. */
export interface CountryCoverage extends Coverage {
  /** The country's alpha-3 code. Cell ids are unique only within a country. */
  readonly country: string;
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
