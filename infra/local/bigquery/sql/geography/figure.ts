import { crossesAny, distance, EARTH_RADIUS, onSphere, type Sphere } from "./distance.ts";
import { grouped, type Shape } from "./wkt.ts";

/** Radians from a polygon's edge within which a point may be on either side: a hundredth of a millimetre. */
const UNDECIDED = 1e-12;

type Vector = readonly [x: number, y: number, z: number];

/** A ring in the gnomonic projection around its middle, where arcs of great circles are straight lines. */
interface Ring {
  readonly path: Float64Array;
  readonly axes: readonly [Vector, Vector, Vector];
  readonly flat: Float64Array;
}

/** A shape on the unit sphere. */
export interface Figure {
  readonly dimension: 0 | 1 | 2;
  readonly paths: Sphere;
  readonly polygons: readonly (readonly Ring[])[];
}

function vectorAt(path: Float64Array, index: number): Vector {
  return [path[3 * index] ?? 0, path[3 * index + 1] ?? 0, path[3 * index + 2] ?? 0];
}

function cross(a: Vector, b: Vector): Vector {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

function dot(a: Vector, b: Vector): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

function unit(a: Vector): Vector {
  const length = Math.hypot(...a);
  return [a[0] / length, a[1] / length, a[2] / length];
}

function sum(vectors: readonly Vector[]): Vector {
  return vectors.reduce((a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]], [0, 0, 0]);
}

function scaled(a: Vector, by: number): Vector {
  return [a[0] * by, a[1] * by, a[2] * by];
}

function vectorsOf(path: Float64Array): Vector[] {
  return Array.from({ length: path.length / 3 }, (_, index) => vectorAt(path, index));
}

function flattened(point: Vector, [middle, east, north]: Ring["axes"]): readonly [number, number] | undefined {
  const height = dot(point, middle);
  return height <= 0 ? undefined : [dot(point, east) / height, dot(point, north) / height];
}

function ringOf(path: Float64Array): Ring {
  const points = vectorsOf(path);
  const middle = unit(sum(points.slice(1)));
  const east = unit(cross(Math.abs(middle[2]) < 0.9 ? [0, 0, 1] : [1, 0, 0], middle));
  const axes = [middle, east, cross(middle, east)] as const;
  // Beyond 80 degrees the inside of a ring may be its larger side.
  if (!points.every((point) => dot(point, middle) > Math.cos((80 / 180) * Math.PI)))
    throw new Error("A polygon wider than 160 degrees is not supported by the local BigQuery");
  return { path, axes, flat: Float64Array.from(points.flatMap((point) => flattened(point, axes) ?? [0, 0])) };
}

/** Returns a shape on the sphere. Throws for polygons that reach around the Earth. */
export function figureOf(shape: Shape): Figure {
  const paths = onSphere(shape);
  const dimension = shape.kind.endsWith("POINT") ? 0 : shape.kind.endsWith("POLYGON") ? 2 : 1;
  return { dimension, paths, polygons: grouped(paths, shape.rings).map((rings) => rings.map(ringOf)) };
}

function isInRing(point: Vector, { axes, flat }: Ring): boolean {
  const at = flattened(point, axes);
  if (!at) return false;
  const [x, y] = at;
  let inside = false;
  for (let i = 0; i + 3 < flat.length; i += 2) {
    const [ax, ay, bx, by] = [flat[i] ?? 0, flat[i + 1] ?? 0, flat[i + 2] ?? 0, flat[i + 3] ?? 0];
    if (ay > y !== by > y && x < ax + ((y - ay) / (by - ay)) * (bx - ax)) inside = !inside;
  }
  return inside;
}

/** Whether a point is in a polygon: in its shell and in none of its holes. */
function isInside(point: Vector, { polygons }: Figure): boolean {
  return polygons.some(
    ([shell, ...holes]) => shell !== undefined && isInRing(point, shell) && !holes.some((hole) => isInRing(point, hole)),
  );
}

function firstPoints({ paths }: Figure): Vector[] {
  return paths.map((path) => vectorAt(path, 0));
}

function meetsInside(a: Figure, b: Figure): boolean {
  if (a.polygons.length + b.polygons.length === 0) return false;
  return firstPoints(a).some((point) => isInside(point, b)) || firstPoints(b).some((point) => isInside(point, a));
}

/** Returns the metres between the nearest points of two shapes: 0 if they meet. */
export function figureDistance(a: Figure, b: Figure): number | null {
  return meetsInside(a, b) ? 0 : distance(a.paths, b.paths);
}

/** Whether two shapes have a point in common. */
export function intersects(a: Figure, b: Figure): boolean {
  return meetsInside(a, b) || (distance(a.paths, b.paths) ?? 1) <= UNDECIDED * EARTH_RADIUS;
}

/** Whether a single point is one of a shape's vertices. */
function isVertex(point: Figure, { paths }: Figure): boolean {
  const [path, ...others] = point.paths;
  if (point.dimension > 0 || !path || others.length > 0) return false;
  const at = vectorAt(path, 0);
  return paths.some((one) => vectorsOf(one).some((vertex) => vertex.every((value, index) => value === at[index])));
}

/**
 * Whether the inside of a polygon holds all of another shape, or with `withEdges` the polygon with its edges. Throws if the shape touches the polygon's edges: BigQuery decides that by the
 * exact positions of its snapped points.
 */
export function contains(a: Figure, b: Figure, withEdges: boolean): boolean {
  if (a.dimension < 2)
    throw new Error("ST_CONTAINS, ST_COVERS and ST_WITHIN are supported by the local BigQuery for polygons that hold other shapes only");
  if (isVertex(b, a)) return withEdges;
  if (crossesAny(a.paths, b.paths)) return false;
  if ((distance(a.paths, b.paths) ?? 1) <= UNDECIDED * EARTH_RADIUS)
    throw new Error("Whether a polygon holds a shape that touches its edges is not supported by the local BigQuery");
  if (!firstPoints(b).every((point) => isInside(point, a))) return false;
  // A hole of the polygon inside the other shape, which has a surface.
  return !a.polygons.some(([, ...holes]) => holes.some((hole) => isInside(vectorAt(hole.path, 0), b)));
}

function angle(a: Vector, b: Vector): number {
  return Math.atan2(Math.hypot(...cross(a, b)), dot(a, b));
}

/** Returns twice the tangent's angle of a triangle's signed surface on the unit sphere. */
function signedTriangle(a: Vector, b: Vector, c: Vector): number {
  const [ab, ac] = [sum([b, scaled(a, -1)]), sum([c, scaled(a, -1)])];
  return 2 * Math.atan2(dot(a, cross(ab, ac)), 1 + dot(a, b) + dot(b, c) + dot(c, a));
}

/** Returns a ring's surface on the unit sphere, positive if it runs counter-clockwise. */
function signedArea({ path }: Ring): number {
  const [first, ...rest] = vectorsOf(path);
  if (!first) return 0;
  return rest.reduce((area, point, index) => {
    const next = rest[index + 1];
    return next ? area + signedTriangle(first, point, next) : area;
  }, 0);
}

/** Returns the surface in square metres: 0 of points and lines. */
export function area({ polygons }: Figure): number {
  const ofPolygons = polygons.map(([shell, ...holes]) =>
    holes.reduce((left, hole) => left - Math.abs(signedArea(hole)), shell ? Math.abs(signedArea(shell)) : 0),
  );
  return ofPolygons.reduce((total, one) => total + one, 0) * EARTH_RADIUS ** 2;
}

/** Returns the length of all lines, or of all rings, in metres. */
export function length({ paths }: Figure): number {
  const ofPath = (path: Float64Array) => {
    const points = vectorsOf(path);
    return points.reduce((total, point, index) => total + (index === 0 ? 0 : angle(points[index - 1] ?? point, point)), 0);
  };
  return paths.reduce((total, path) => total + ofPath(path), 0) * EARTH_RADIUS;
}

/** The integral of the position over a ring's surface: half the sum of its edges' normals, each as long as its edge. */
function moment(ring: Ring): Vector {
  const points = vectorsOf(ring.path);
  const parts = points.slice(1).map((point, index): Vector => {
    const before = points[index] ?? point;
    const normal = cross(before, sum([point, scaled(before, -1)]));
    const size = Math.hypot(...normal);
    return size === 0 ? [0, 0, 0] : scaled(normal, angle(before, point) / size / 2);
  });
  const total = sum(parts);
  return signedArea(ring) < 0 ? scaled(total, -1) : total;
}

function ofLine(path: Float64Array): Vector {
  const points = vectorsOf(path);
  return sum(
    points.slice(1).map((point, index): Vector => {
      const before = points[index] ?? point;
      const middle = sum([before, point]);
      return scaled(middle, Math.hypot(...sum([point, scaled(before, -1)])) / Math.hypot(...middle));
    }),
  );
}

/** Returns the centroid as longitude and latitude in degrees, of the parts with the highest dimension. */
export function centroid({ dimension, paths, polygons }: Figure): readonly [longitude: number, latitude: number] {
  const moments =
    dimension === 2
      ? polygons.flatMap(([shell, ...holes]) => [...(shell ? [moment(shell)] : []), ...holes.map((hole) => scaled(moment(hole), -1))])
      : paths.map((path) => (dimension === 1 ? ofLine(path) : vectorAt(path, 0)));
  const [x, y, z] = sum(moments);
  return [(Math.atan2(y, x) * 180) / Math.PI, (Math.atan2(z, Math.hypot(x, y)) * 180) / Math.PI];
}
