import { boundaryLength, geodeticArea } from "./geodetic-area.ts";
import { CELL_METRES } from "./grid.ts";
import type { Polygon } from "./polygon.ts";

/** A metre of length or of width is at most so many metres of a grid, with the error of both. */
const STRETCH = 1.02;
/** The metres of a degree of latitude, at most. */
const DEGREE_METRES = 111_700;
const RADIANS = Math.PI / 180;

/**
 * Returns an upper bound of the 250 m cells that a valid polygon touches in a grid: by its area and the length of its border, or by its
 * bounding box if that has fewer. So it is known before a coverage begins. Takes time linear in the points.
 */
export function cellsAtMost(polygon: Polygon): number {
  const points = polygon.rings.reduce((sum, ring) => sum + ring.length, 0);
  // A line crosses the most sides of cells where it runs diagonally.
  const border = (Math.SQRT2 * STRETCH * boundaryLength(polygon)) / CELL_METRES + points;
  const inside = (STRETCH ** 2 * geodeticArea(polygon)) / CELL_METRES ** 2;
  return Math.ceil(Math.min(inside + border, cellsOfBox(polygon)));
}

/** Returns the most cells that a box of a polygon's width and height can touch, however it is turned. */
function cellsOfBox({ rings: [shell = []] }: Polygon): number {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [lon, lat] of shell) {
    west = Math.min(west, lon);
    east = Math.max(east, lon);
    south = Math.min(south, lat);
    north = Math.max(north, lat);
  }
  const widest = south <= 0 && north >= 0 ? 1 : Math.cos(Math.min(Math.abs(south), Math.abs(north)) * RADIANS);
  const [width, height] = [(east - west) * DEGREE_METRES * widest * STRETCH, (north - south) * DEGREE_METRES * STRETCH];
  return (width * height) / CELL_METRES ** 2 + (2 * Math.SQRT2 * (width + height)) / CELL_METRES + 4;
}
