import { type Coverage, coverPolygon } from "../geometry/coverage.ts";
import { intersectsGrid } from "../geometry/grid.ts";
import type { Polygon } from "../geometry/polygon.ts";
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
  return Object.entries(table).flatMap(([country, { grid }]) => {
    const coverage = grid && coverBoxes(polygon, grid);
    return coverage && coverage.cells.length > 0 ? [{ country, ...coverage }] : [];
  });
}

/** Returns the coverage over all boxes of a grid. It adds up the parts of a cell on the border of two boxes. */
function coverBoxes(polygon: Polygon, { extents, ...grid }: CountryGrid): Coverage {
  const parts = extents.flatMap((extent) =>
    intersectsGrid(polygon, { ...grid, extent }) ? [coverPolygon(polygon, { ...grid, extent })] : [],
  );
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
