import { type Coverage, coverPolygon } from "../geometry/coverage.ts";
import { intersectsGrid } from "../geometry/grid.ts";
import type { Polygon } from "../geometry/polygon.ts";
import type { CountryGrid, CountryTable } from "./country-rules.ts";

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
    const coverage = grid && coverBoxes(polygon, grid);
    return coverage && coverage.cells.length > 0 ? [{ country, ...coverage }] : [];
  });
}

/** A cell on the border of two boxes has a part in each. */
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
