import type { CountryTable } from "./country-rules.ts";
import { type Coverage, coverPolygon } from "./coverage.ts";
import { reaches } from "./grid.ts";
import type { Polygon } from "./polygon.ts";

/** What a polygon covers of one country's grid. */
export interface CountryCoverage extends Coverage {
  /** The country's alpha-3 code; ids of cells are unique within it only. */
  readonly country: string;
}

/**
 * What a valid polygon covers of the grid of each country of a table, in the table's order, at least one cell each; empty where no country's
 * grid is. Extents of grids are boxes that reach into neighbouring countries, so whether people are counted in a cell is for the warehouse to say.
 */
export function coverCountries(polygon: Polygon, table: CountryTable): CountryCoverage[] {
  return Object.entries(table).flatMap(([country, { grid }]) => {
    if (!grid || !reaches(polygon, grid)) return [];
    const coverage = coverPolygon(polygon, grid);
    return coverage.cells.length > 0 ? [{ country, ...coverage }] : [];
  });
}
