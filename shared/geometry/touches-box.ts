import type { Bbox } from "./bbox.ts";
import type { GeoJsonGeometry } from "./wkt-to-geojson.ts";

type Position = readonly [lon: number, lat: number];

/**
 * Returns whether a geometry and a box, both with straight edges in longitude and latitude, have a point in common. A box inside a polygon
 * touches it; one inside a hole does not.
 */
export function touchesBox(geometry: GeoJsonGeometry, box: Bbox): boolean {
  switch (geometry.type) {
    case "LineString":
      return lineTouches(geometry.coordinates, box);
    case "MultiLineString":
      return geometry.coordinates.some((line) => lineTouches(line, box));
    case "Polygon":
      return polygonTouches(geometry.coordinates, box);
    case "MultiPolygon":
      return geometry.coordinates.some((polygon) => polygonTouches(polygon, box));
  }
}

function polygonTouches(rings: readonly (readonly Position[])[], box: Bbox): boolean {
  if (rings.some((ring) => lineTouches(ring, box))) return true;
  // No edge meets the box, so all of it is inside or all of it is outside.
  const [west, south] = box;
  return rings.filter((ring) => isInside([west, south], ring)).length % 2 === 1;
}

function lineTouches(line: readonly Position[], box: Bbox): boolean {
  return line.some((to, index) => segmentTouches(line[index - 1] ?? to, to, box));
}

/** Clips a segment at the four sides, after Liang and Barsky (https://doi.org/10.1145/357332.357333): what is left is in the box. */
function segmentTouches([x, y]: Position, [toX, toY]: Position, [west, south, east, north]: Bbox): boolean {
  let [from, to] = [0, 1];
  for (const [way, room] of [
    [x - toX, x - west],
    [toX - x, east - x],
    [y - toY, y - south],
    [toY - y, north - y],
  ] as const) {
    if (way === 0 && room < 0) return false;
    if (way < 0) from = Math.max(from, room / way);
    if (way > 0) to = Math.min(to, room / way);
  }
  return from <= to;
}

/** Whether a ray to the east crosses a closed ring an odd number of times. The point must not lie on an edge. */
function isInside([lon, lat]: Position, ring: readonly Position[]): boolean {
  let isOdd = false;
  for (const [index, [toX, toY]] of ring.entries()) {
    const [x, y] = ring[index - 1] ?? [toX, toY];
    if (y > lat !== toY > lat && lon < x + ((lat - y) / (toY - y)) * (toX - x)) isOdd = !isOdd;
  }
  return isOdd;
}
