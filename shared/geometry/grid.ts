import type { Crs, Extent, Position } from "./crs.ts";
import type { Polygon } from "./polygon.ts";

/** The side of the smallest cell, metres. */
export const CELL_METRES = 250;
/** An id is the easting followed by the northing in seven digits. */
const NORTHINGS = 10_000_000;

/** The grid of a country. */
export interface Grid {
  readonly crs: Crs;
  /** Added to the easting inside an id, metres, so that ids are never negative. */
  readonly eastingOffset: number;
  /** The extent of the grid, within the extent of its projection. */
  readonly extent: Extent;
}

/** Returns the id of the cell whose south-west corner is at this position in whole metres. */
export function cellId({ eastingOffset }: Grid, { easting, northing }: Position): number {
  return (easting + eastingOffset) * NORTHINGS + northing;
}

/** Returns the south-west corner of a cell. */
export function cellCorner({ eastingOffset }: Grid, id: number): Position {
  return { easting: Math.floor(id / NORTHINGS) - eastingOffset, northing: id % NORTHINGS };
}

/** Returns the id of the cell at a position, for cells of this side (250 or 1,000 metres). A cell includes its west and south sides. */
export function cellAt(grid: Grid, { easting, northing }: Position, side: number): number {
  return cellId(grid, { easting: Math.floor(easting / side) * side, northing: Math.floor(northing / side) * side });
}

/** Whether a polygon may cover cells of a grid: whether its bounding box and the grid's extent share a point. */
export function intersectsGrid({ rings: [shell = []] }: Polygon, { extent: [west, south, east, north] }: Grid): boolean {
  const beyond = (axis: 0 | 1, low: number, high: number): boolean =>
    shell.every((point) => point[axis] < low) || shell.every((point) => point[axis] > high);
  return !beyond(0, west, east) && !beyond(1, south, north);
}
