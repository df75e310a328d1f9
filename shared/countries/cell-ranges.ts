import type { Extent } from "../geometry/crs.ts";
import { project } from "../geometry/projection.ts";
import type { CountryGrid } from "./country-rules.ts";

/** In how many parts a side of an extent is projected. Between two points the side bends by less than the margin. */
const PARTS = 64;
const MARGIN_METRES = 1000;

/** Eastings as in ids, and northings, that cells can have; metres, both ends included. */
export interface CellRange {
  readonly west: number;
  readonly east: number;
  readonly south: number;
  readonly north: number;
}

/** Returns a range around the cells of each extent of a grid. A cell in none of them lies outside of the country. */
export function cellRanges({ crs, eastingOffset, extents }: CountryGrid): CellRange[] {
  return extents.map((extent) => {
    const positions = outline(extent).map((point) => project(crs, point));
    const [eastings, northings] = [positions.map(({ easting }) => easting + eastingOffset), positions.map(({ northing }) => northing)];
    return {
      west: Math.floor(Math.min(...eastings)) - MARGIN_METRES,
      east: Math.ceil(Math.max(...eastings)) + MARGIN_METRES,
      south: Math.floor(Math.min(...northings)) - MARGIN_METRES,
      north: Math.ceil(Math.max(...northings)) + MARGIN_METRES,
    };
  });
}

function outline([west, south, east, north]: Extent): (readonly [lon: number, lat: number])[] {
  return Array.from({ length: PARTS + 1 }, (_, index) => index / PARTS).flatMap((part) => {
    const [lon, lat] = [west + (east - west) * part, south + (north - south) * part];
    return [
      [lon, south],
      [lon, north],
      [west, lat],
      [east, lat],
    ] as const;
  });
}
