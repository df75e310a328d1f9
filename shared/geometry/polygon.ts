/** Longitude and latitude in degrees (WGS 84). */
export type Point = readonly [lon: number, lat: number];

/** A closed chain of points: the last one repeats the first. */
export type Ring = readonly Point[];

/** The shell first, then its holes, in any direction. Edges are straight lines in longitude and latitude. */
export interface Polygon {
  readonly rings: readonly Ring[];
}

/** Returns the name of a ring in messages, from its index in the polygon (0 is the shell): `ring 1`, `ring 2 (hole)`. */
export function ringName(ring: number): string {
  return ring === 0 ? "ring 1" : `ring ${ring + 1} (hole)`;
}

/** Formats a point for messages, to a centimetre: `(10.75, 59.91)`. */
export function pointName([lon, lat]: Point): string {
  return `(${Number(lon.toFixed(7))}, ${Number(lat.toFixed(7))})`;
}

export function samePoint(a: Point, b: Point): boolean {
  return a[0] === b[0] && a[1] === b[1];
}

/** An edge of a ring, in the ring's direction. `from` and `to` are the numbers of its points, from 1. */
export interface Edge {
  readonly a: Point;
  readonly b: Point;
  readonly from: number;
  readonly to: number;
}

/** Returns the edges of a closed ring in order, without those that only repeat a point. */
export function edgesOf(ring: Ring): Edge[] {
  const edges: Edge[] = [];
  let [a, from] = [ring[0], 1];
  for (const [index, b] of ring.entries()) {
    if (!a || samePoint(a, b)) continue;
    edges.push({ a, b, from, to: index + 1 });
    [a, from] = [b, index + 1];
  }
  return edges;
}
