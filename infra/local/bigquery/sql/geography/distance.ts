import type { Shape } from "./wkt.ts";

/** The radius of BigQuery's spherical Earth, in metres. */
export const EARTH_RADIUS = 6_371_010;

/** Returns unit vectors of a path's points, three numbers per point. */
export function vectors(path: Float64Array): Float64Array {
  const result = new Float64Array((path.length / 2) * 3);
  for (let point = 0; point < path.length / 2; point++) {
    const longitude = ((path[2 * point] ?? 0) * Math.PI) / 180;
    const latitude = ((path[2 * point + 1] ?? 0) * Math.PI) / 180;
    result[3 * point] = Math.cos(latitude) * Math.cos(longitude);
    result[3 * point + 1] = Math.cos(latitude) * Math.sin(longitude);
    result[3 * point + 2] = Math.sin(latitude);
  }
  return result;
}

/** A shape's paths as unit vectors. */
export type Sphere = readonly Float64Array[];

export function onSphere(shape: Shape): Sphere {
  return shape.paths.map(vectors);
}

/** Returns the squared straight distance through the unit sphere between point `i` of `a` and point `j` of `b`. */
function chordSquared(a: Float64Array, i: number, b: Float64Array, j: number): number {
  const x = (a[3 * i] ?? 0) - (b[3 * j] ?? 0);
  const y = (a[3 * i + 1] ?? 0) - (b[3 * j + 1] ?? 0);
  const z = (a[3 * i + 2] ?? 0) - (b[3 * j + 2] ?? 0);
  return x * x + y * y + z * z;
}

function angleOfChord(squared: number): number {
  return 2 * Math.asin(Math.min(1, Math.sqrt(squared) / 2));
}

/**
 * Returns the angle from point `i` of `p` to the arc between points `j` and `j + 1` of `line`. Infinite if the foot lies beyond its ends.
 */
function angleToArc(p: Float64Array, i: number, line: Float64Array, j: number): number {
  const [px, py, pz] = [p[3 * i] ?? 0, p[3 * i + 1] ?? 0, p[3 * i + 2] ?? 0];
  const [ax, ay, az] = [line[3 * j] ?? 0, line[3 * j + 1] ?? 0, line[3 * j + 2] ?? 0];
  const [bx, by, bz] = [line[3 * j + 3] ?? 0, line[3 * j + 4] ?? 0, line[3 * j + 5] ?? 0];
  // Computing the arc's normal from sum and difference keeps precision for short arcs.
  const [dx, dy, dz] = [bx - ax, by - ay, bz - az];
  const [sx, sy, sz] = [bx + ax, by + ay, bz + az];
  const [nx, ny, nz] = [(sy * dz - sz * dy) / 2, (sz * dx - sx * dz) / 2, (sx * dy - sy * dx) / 2];
  const norm = Math.hypot(nx, ny, nz);
  if (norm === 0) return Number.POSITIVE_INFINITY;
  // The foot is inside if P lies between the planes through A and B that are perpendicular to the arc.
  const fromA = (ny * az - nz * ay) * px + (nz * ax - nx * az) * py + (nx * ay - ny * ax) * pz;
  const fromB = (ny * bz - nz * by) * px + (nz * bx - nx * bz) * py + (nx * by - ny * bx) * pz;
  if (fromA <= 0 || fromB >= 0) return Number.POSITIVE_INFINITY;
  const offset = (nx * (px - ax) + ny * (py - ay) + nz * (pz - az)) / norm;
  return Math.abs(Math.asin(Math.max(-1, Math.min(1, offset))));
}

function triple(a: Float64Array, i: number, b: Float64Array, j: number, c: Float64Array, k: number): number {
  const [ax, ay, az] = [a[3 * i] ?? 0, a[3 * i + 1] ?? 0, a[3 * i + 2] ?? 0];
  const [bx, by, bz] = [b[3 * j] ?? 0, b[3 * j + 1] ?? 0, b[3 * j + 2] ?? 0];
  const [cx, cy, cz] = [c[3 * k] ?? 0, c[3 * k + 1] ?? 0, c[3 * k + 2] ?? 0];
  return ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
}

/**
 * Whether arc `i` of `a` crosses arc `j` of `b` inside both: the ends of each lie on different sides of the other, and the crossing is on
 * the near side.
 */
function crosses(a: Float64Array, i: number, b: Float64Array, j: number): boolean {
  const first = -triple(a, i, a, i + 1, b, j);
  if (first * triple(a, i, a, i + 1, b, j + 1) <= 0) return false;
  return first * -triple(b, j, b, j + 1, a, i + 1) > 0 && first * triple(b, j, b, j + 1, a, i) > 0;
}

/** Whether an arc of one shape crosses an arc of the other inside both. */
export function crossesAny(a: Sphere, b: Sphere): boolean {
  return a.some((from) =>
    b.some((to) => {
      for (let i = 0; i + 1 < from.length / 3; i++) for (let j = 0; j + 1 < to.length / 3; j++) if (crosses(from, i, to, j)) return true;
      return false;
    }),
  );
}

/** Returns the metres from a point, as a path of one, to the nearest arc of a line. Infinite if the foot lies beyond its ends. */
export function offsetFromArc(point: Float64Array, line: Float64Array): number {
  return angleToArc(point, 0, line, 0) * EARTH_RADIUS;
}

function pathAngle(a: Float64Array, b: Float64Array): number {
  const [sizeA, sizeB] = [a.length / 3, b.length / 3];
  let chord = Number.POSITIVE_INFINITY;
  let angle = Number.POSITIVE_INFINITY;
  for (let i = 0; i < sizeA; i++)
    for (let j = 0; j < sizeB; j++) {
      chord = Math.min(chord, chordSquared(a, i, b, j));
      if (j + 1 < sizeB) angle = Math.min(angle, angleToArc(a, i, b, j));
      if (i + 1 < sizeA) angle = Math.min(angle, angleToArc(b, j, a, i));
      if (i + 1 < sizeA && j + 1 < sizeB && crosses(a, i, b, j)) return 0;
    }
  return Math.min(angle, angleOfChord(chord));
}

/** Returns the metres between the nearest points of two shapes on the sphere. Null if one is empty. */
export function distance(a: Sphere, b: Sphere): number | null {
  let least = Number.POSITIVE_INFINITY;
  for (const from of a) for (const to of b) least = Math.min(least, pathAngle(from, to));
  return least === Number.POSITIVE_INFINITY ? null : least * EARTH_RADIUS;
}
