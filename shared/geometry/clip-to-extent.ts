import type { Extent } from "./crs.ts";
import type { Point, Ring } from "./polygon.ts";

/**
 * Returns the part of a ring inside an extent (Sutherland and Hodgman 1974), closed; empty if there is none. If the ring leaves the extent
 * more than once, edges that run back and forth along the border join the parts. They enclose nothing, so signed areas stay correct.
 */
export function clipToExtent(ring: Ring, [west, south, east, north]: Extent): Ring {
  if (ring.every(([lon, lat]) => lon >= west && lon <= east && lat >= south && lat <= north)) return ring;
  const clipped = [
    { axis: 0, limit: west, keeps: 1 },
    { axis: 0, limit: east, keeps: -1 },
    { axis: 1, limit: south, keeps: 1 },
    { axis: 1, limit: north, keeps: -1 },
  ] as const;
  return clipped.reduce(clipToHalf, ring);
}

/** A half-plane: coordinates at or beyond the limit, in the direction of `keeps`. */
interface Half {
  readonly axis: 0 | 1;
  readonly limit: number;
  readonly keeps: 1 | -1;
}

function clipToHalf(ring: Ring, { axis, limit, keeps }: Half): Ring {
  const kept: Point[] = [];
  let before: Point | undefined;
  const inside = (point: Point): boolean => (point[axis] - limit) * keeps >= 0;
  for (const point of ring) {
    if (before && inside(before) !== inside(point)) kept.push(onLimit(before, point, axis, limit));
    if (inside(point)) kept.push(point);
    before = point;
  }
  const [first] = kept;
  return first ? [...kept, first] : [];
}

function onLimit(a: Point, b: Point, axis: 0 | 1, limit: number): Point {
  const share = (limit - a[axis]) / (b[axis] - a[axis]);
  return axis === 0 ? [limit, a[1] + (b[1] - a[1]) * share] : [a[0] + (b[0] - a[0]) * share, limit];
}
