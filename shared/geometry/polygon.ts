/** Longitude and latitude in degrees (WGS 84). */
export type Point = readonly [lon: number, lat: number];

/** A closed chain of points: the last one repeats the first. */
export type Ring = readonly Point[];

/** The shell first, then its holes, in any direction. Edges are straight lines in longitude and latitude. */
export interface Polygon {
  readonly rings: readonly Ring[];
}

/** How messages name a ring, from its place in the polygon (0 is the shell): `ring 1`, `ring 2 (hole)`. */
export function ringName(ring: number): string {
  return ring === 0 ? "ring 1" : `ring ${ring + 1} (hole)`;
}

/** How messages show a point: `(10.75, 59.91)`, to a centimetre. */
export function pointName([lon, lat]: Point): string {
  return `(${Number(lon.toFixed(7))}, ${Number(lat.toFixed(7))})`;
}

export function samePoint(a: Point, b: Point): boolean {
  return a[0] === b[0] && a[1] === b[1];
}

/** A side of a ring, as the ring runs; `from` and `to` are the numbers of its points, from 1. */
export interface Edge {
  readonly a: Point;
  readonly b: Point;
  readonly from: number;
  readonly to: number;
}

/** The sides of a closed ring in their order, without those that only repeat a point. */
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
