import type { Bbox } from "../geometry/bbox.ts";
import { clipToExtent } from "../geometry/clip-to-extent.ts";
import type { Extent } from "../geometry/crs.ts";
import { geodeticArea } from "../geometry/geodetic-area.ts";
import type { Point, Polygon } from "../geometry/polygon.ts";
import type { CountryRules } from "./country-rules.ts";

/** The least area that counts as being in an extent, in square metres: far above what rounding leaves of a polygon that only touches it. */
const INSIDE_M2_MIN = 0.5;

/** Where something lies: in the extent of a country, in none, or in none but in one if longitude and latitude change places. */
export type Place = "inside" | "outside" | "swapped";

/** Returns where a valid polygon lies. Extents are boxes, so a polygon that is inside can still be at sea or in a neighbouring country. */
export function placeOfPolygon({ rings: [shell = []] }: Polygon, countries: readonly CountryRules[]): Place {
  const reaches = (ring: readonly Point[]) => (extent: Extent) => geodeticArea({ rings: [clipToExtent(ring, extent)] }) > INSIDE_M2_MIN;
  return placeIn(countries, reaches(shell), reaches(shell.map(([lon, lat]) => [lat, lon])));
}

/** Returns where a box lies, edges included. A point is a box too. */
export function placeOfBox([west, south, east, north]: Bbox, countries: readonly CountryRules[]): Place {
  const reaches = (box: Bbox) => (extent: Extent) =>
    box[0] <= extent[2] && box[2] >= extent[0] && box[1] <= extent[3] && box[3] >= extent[1];
  return placeIn(countries, reaches([west, south, east, north]), reaches([south, west, north, east]));
}

/** Nothing is outside of a country without a grid: its extent is not known. */
function placeIn(
  countries: readonly CountryRules[],
  isInside: (extent: Extent) => boolean,
  isInsideSwapped: (extent: Extent) => boolean,
): Place {
  if (countries.some(({ grid }) => grid === undefined)) return "inside";
  const extents = countries.flatMap(({ grid }) => grid?.extents ?? []);
  if (extents.some(isInside)) return "inside";
  return extents.some(isInsideSwapped) ? "swapped" : "outside";
}
