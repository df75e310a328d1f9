import type { Crs, Position } from "./crs.ts";
import type { Point, Ring } from "./polygon.ts";
import { project } from "./projection.ts";
import { resultOf } from "./slices.ts";

/** The maximum distance, in metres, between a projected edge and the true image of an edge that is straight in longitude and latitude. */
export const DEVIATION_METRES = 0.01;
/**
 * Bounds of the second derivatives of the projections over their extents, in metres per square degree: along longitude, mixed, along
 * latitude. A chord deviates by at most an eighth of them.
 */
const BEND = { lon: 1520, mixed: 2040, lat: 830 } as const;

/** How many points a slice adds at least: about 0.2 ms. */
const SLICE = 500;

/** Projects a ring. Adds enough points to keep its edges within `DEVIATION_METRES` of their true images. */
export function projectRing(ring: Ring, crs: Crs): Position[] {
  return resultOf(projectRingInSlices(ring, crs));
}

/** Does the same in slices: the generator yields between them. */
export function* projectRingInSlices(ring: Ring, crs: Crs): Generator<void, Position[]> {
  const positions: Position[] = [];
  let before: Point | undefined;
  let yielded = 0;
  for (const point of ring) {
    if (before) addBetween(positions, before, point, crs);
    positions.push(project(crs, point));
    before = point;
    if (positions.length - yielded < SLICE) continue;
    yield;
    yielded = positions.length;
  }
  return positions;
}

/** Adds the same points in both directions, so that neighbours that share an edge share its image. */
function addBetween(positions: Position[], a: Point, b: Point, crs: Crs): void {
  const steps = stepsBetween(a, b);
  const forward = a[0] < b[0] || (a[0] === b[0] && a[1] <= b[1]);
  const [from, to] = forward ? [a, b] : [b, a];
  for (let step = 1; step < steps; step++) {
    const share = (forward ? step : steps - step) / steps;
    positions.push(project(crs, [from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share]));
  }
}

function stepsBetween(a: Point, b: Point): number {
  const [lon, lat] = [Math.abs(b[0] - a[0]), Math.abs(b[1] - a[1])];
  const bend = BEND.lon * lon * lon + 2 * BEND.mixed * lon * lat + BEND.lat * lat * lat;
  return Math.ceil(Math.sqrt(bend / (8 * DEVIATION_METRES)));
}
