import { boundaryLength, geodeticArea } from "./geodetic-area.ts";
import { orientation } from "./orientation.ts";
import { type Edge, edgesOf, type Point, type Polygon, ringName } from "./polygon.ts";
import { sweepFaultInSlices } from "./polygon-sweep.ts";
import { resultOf } from "./slices.ts";

const AREA_MAX_KM2 = 5000;
/** Nothing can be counted in less. Far above the rounding error of an area, which is below a square millimetre for a polygon this small. */
const AREA_MIN_M2 = 1;
/**
 * Points within this distance of a line, in degrees, lie on it: a micrometre at most. Points that are written in decimals on one line are
 * up to 1e-13 degrees away from it as binary fractions.
 */
const ON_LINE_DEGREES = 1e-11;
/** Six times around the Earth: far above any outline of 5,000 km² and 10,000 vertices. Limits the work of computing the coverage. */
const BOUNDARY_MAX_KM = 250_000;

/**
 * Returns the first error of a polygon, or undefined if it is valid. Its rings must be closed and within the limits of WKT. Valid means:
 * every ring has an area, no spikes and no self-intersection; holes are directly inside the shell, may touch it and each other in points
 * but not along an edge, and leave the inside connected (OGC 06-103r4, 6.1.11); from 1 m² to 5,000 km² and at most 250,000 km of boundary.
 */
export function polygonFault(polygon: Polygon): string | undefined {
  return resultOf(polygonFaultInSlices(polygon));
}

/** Does the same in slices: the generator yields between them. */
export function* polygonFaultInSlices(polygon: Polygon): Generator<void, string | undefined> {
  const rings = polygon.rings.map(edgesOf);
  for (const [index, edges] of rings.entries()) {
    const fault = flatFault(edges, index) ?? spikeFault(edges, index);
    if (fault !== undefined) return fault;
  }
  // The length comes first: it is cheap, and also meaningful for rings that cross.
  return lengthFault(polygon) ?? (yield* sweepFaultInSlices(rings)) ?? areaFault(polygon);
}

function flatFault(edges: readonly Edge[], index: number): string | undefined {
  return isFlat(edges) ? `${ringName(index)} has no area: all of its points lie on one line; at least 3 of them must not` : undefined;
}

/** Whether all points lie on the line from the first one to the one farthest from it. */
function isFlat(edges: readonly Edge[]): boolean {
  const [first] = edges;
  if (!first) return true;
  const [lon, lat] = first.a;
  const ways = edges.map(({ b }) => ({ east: b[0] - lon, north: b[1] - lat, length: Math.hypot(b[0] - lon, b[1] - lat) }));
  const far = ways.reduce((farthest, way) => (way.length > farthest.length ? way : farthest));
  return ways.every(({ east, north }) => Math.abs(far.east * north - far.north * east) <= ON_LINE_DEGREES * far.length);
}

function spikeFault(edges: readonly Edge[], index: number): string | undefined {
  let before = edges.at(-1);
  for (const edge of edges) {
    if (before && turnsBack(before.a, edge.a, edge.b)) {
      return `${ringName(index)}, point ${edge.from}: the ring turns back on itself (a spike); it must not run back along the side it came on`;
    }
    before = edge;
  }
  return undefined;
}

/** Whether the path from `a` over `corner` to `b` runs back along itself. */
function turnsBack(a: Point, corner: Point, b: Point): boolean {
  const back = (axis: 0 | 1): boolean => Math.sign(a[axis] - corner[axis]) === Math.sign(b[axis] - corner[axis]);
  return back(0) && back(1) && orientation(a, corner, b) === 0;
}

function areaFault(polygon: Polygon): string | undefined {
  const squareMetres = geodeticArea(polygon);
  const area = squareMetres / 1e6;
  if (squareMetres < AREA_MIN_M2) return `the polygon covers less than ${AREA_MIN_M2} m²; coordinates are degrees such as 10.75 59.91`;
  return area > AREA_MAX_KM2 ? `the polygon covers ${whole(area)} km²; at most ${whole(AREA_MAX_KM2)} km² are accepted` : undefined;
}

function lengthFault(polygon: Polygon): string | undefined {
  const length = boundaryLength(polygon) / 1e3;
  return length > BOUNDARY_MAX_KM ? `the rings are ${whole(length)} km long; at most ${whole(BOUNDARY_MAX_KM)} km are accepted` : undefined;
}

/** Rounds up, so that a value above a limit never looks equal to it. */
function whole(value: number): string {
  return Math.ceil(value).toLocaleString("en-GB");
}
