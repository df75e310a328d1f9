import type { CountryTable } from "../countries/country-rules.ts";
import {
  type CountryCells,
  type CountryCoverage,
  countCellsByCountryInSlices,
  coverCountriesInSlices,
} from "../countries/coverage-by-country.ts";
import { cellsAtMost } from "../geometry/cells-at-most.ts";
import type { Polygon } from "../geometry/polygon.ts";
import { inSlices } from "../runtime/in-slices.ts";
import { storedPolygon } from "./check-geometry.ts";
import type { CustomerMap } from "./maps.ts";

/** The maximum number of cells per polygon. A polygon of 5,000 km² has 80,000 cells; one with many more is mostly border. */
const CELLS_MAX = 200_000;

/** The polygon has too many cells to be measured at every tick. */
export class TooManyCells extends Error {}

/**
 * Covers a valid polygon in slices. Throws TooManyCells for one of more cells than can be measured at every tick: by its area and its border
 * before the work begins, and for one that lies in the grids of several countries afterwards.
 */
export async function coverMonitored(polygon: Polygon, table: CountryTable): Promise<CountryCoverage[]> {
  requireFew(polygon);
  const coverages = await inSlices(coverCountriesInSlices(polygon, table));
  requireFewIn(coverages.map(({ cells }) => cells.length));
  return coverages;
}

/** Counts the cells of a valid polygon by country, of those that have any, in slices, without keeping them. Throws TooManyCells like `coverMonitored`. */
export async function countMonitored(polygon: Polygon, table: CountryTable): Promise<CountryCells[]> {
  requireFew(polygon);
  const counts = await inSlices(countCellsByCountryInSlices(polygon, table));
  requireFewIn(counts.map(({ cells }) => cells));
  return counts;
}

function requireFew(polygon: Polygon): void {
  const most = cellsAtMost(polygon);
  if (cannotBeMonitored(most)) throw new TooManyCells(refusal(`may touch up to ${most.toLocaleString("en")}`));
}

function requireFewIn(countries: readonly number[]): void {
  const count = countries.reduce((sum, cells) => sum + cells, 0);
  if (cannotBeMonitored(count)) throw new TooManyCells(refusal(`touches ${count.toLocaleString("en")}`));
}

/**
 * Returns how many cells a map has in its customer's budget: the cells that a polygon touches in the grids of these countries, or the geographies of
 * a standard map, whose cells stand once for all customers. `countries` are those of the grids, which overlap at borders. Throws TooManyCells.
 */
export async function countCells(
  { geometry, ids, countryCode }: Pick<CustomerMap, "geometry" | "ids" | "countryCode">,
  table: CountryTable,
): Promise<{ readonly cells: number; readonly countries: readonly string[] }> {
  if (geometry === null) return { cells: new Set(ids).size, countries: countryCode === null ? [] : [countryCode] };
  const counts = await countMonitored(await storedPolygon(geometry), table);
  return { cells: counts.reduce((sum, { cells }) => sum + cells, 0), countries: counts.map(({ country }) => country) };
}

/** Returns whether nobody can monitor a polygon that touches so many cells. */
export function cannotBeMonitored(cells: number): boolean {
  return cells > CELLS_MAX;
}

function refusal(touches: string): string {
  return `${touches} cells of 250 m, at most ${CELLS_MAX.toLocaleString("en")} can be monitored: simplify its border`;
}
