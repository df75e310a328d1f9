import type { Point } from "./polygon.ts";

/** A chain of points. Its edges are the shortest paths between them (geodesics), also across the antimeridian. */
export type Line = readonly Point[];

/** The WGS 84 ellipsoid: its semi-major axis in metres, and its eccentricity squared. */
const AXIS = 6_378_137;
const E2 = 0.006694379990141316;
const RADIANS = Math.PI / 180;
/** Points lower than this, in metres above the centre of projection, are ignored: they are a quarter of the Earth's circumference away. */
const HORIZON = 1000;

/** Metres to the east, to the north, and up from the centre of projection. */
type Position = readonly [east: number, north: number, up: number];

/**
 * Returns the distance in metres on WGS 84 from a point to the nearest vertex or edge of a line. Returns a quarter of the Earth's
 * circumference for anything farther, and for a line without vertices. Longitudes and latitudes are in degrees.
 *
 * Uses the gnomonic projection from a centre below the point, at the depth of the ellipsoid's radius of curvature there: geodesics are
 * straight and distances from the middle exact. Within 2.1 km of the point, at latitudes up to 89°, the error measured against Vincenty's
 * formulae is below 0.1 mm for edges of up to 20 km and below 5 mm for edges of up to 100 km. Further away it grows to half a percent.
 */
export function distanceToLine(point: Point, line: Line): number {
  const { radius, position } = viewFrom(point);
  let least = Number.POSITIVE_INFINITY;
  let before: Position | undefined;
  for (const vertex of line) {
    const here = position(vertex);
    least = Math.min(least, tangentToEdge(before ?? here, here));
    before = here;
  }
  return radius * Math.atan(least);
}

/** Returns the radius of curvature at a point (the mean of all directions), and a function from points to positions. */
function viewFrom([lon, lat]: Point): { readonly radius: number; readonly position: (other: Point) => Position } {
  const [sinLon, cosLon] = [Math.sin(lon * RADIANS), Math.cos(lon * RADIANS)];
  const [sinLat, cosLat] = [Math.sin(lat * RADIANS), Math.cos(lat * RADIANS)];
  const radius = (AXIS * Math.sqrt(1 - E2)) / (1 - E2 * sinLat * sinLat);
  const [x0, y0, z0] = geocentric([lon, lat]);
  const position = (other: Point): Position => {
    const [x, y, z] = geocentric(other);
    const [dx, dy, dz] = [x - x0, y - y0, z - z0];
    const outwards = cosLon * dx + sinLon * dy;
    return [cosLon * dy - sinLon * dx, cosLat * dz - sinLat * outwards, radius + cosLat * outwards + sinLat * dz];
  };
  return { radius, position };
}

/** Returns a point on the ellipsoid in metres from the Earth's centre: towards longitude 0, longitude 90 and the north pole. */
function geocentric([lon, lat]: Point): readonly [x: number, y: number, z: number] {
  const sine = Math.sin(lat * RADIANS);
  const normal = AXIS / Math.sqrt(1 - E2 * sine * sine);
  const outwards = normal * Math.cos(lat * RADIANS);
  return [outwards * Math.cos(lon * RADIANS), outwards * Math.sin(lon * RADIANS), normal * (1 - E2) * sine];
}

/** Returns the tangent of the angle at the centre between straight up and the nearest point of an edge. */
function tangentToEdge(a: Position, b: Position): number {
  if (a[2] < HORIZON && b[2] < HORIZON) return Number.POSITIVE_INFINITY;
  const [ax, ay] = projected(a[2] < HORIZON ? onHorizon(a, b) : a);
  const [bx, by] = projected(b[2] < HORIZON ? onHorizon(b, a) : b);
  const [dx, dy] = [bx - ax, by - ay];
  const squared = dx * dx + dy * dy;
  const share = squared === 0 ? 0 : Math.min(1, Math.max(0, -(ax * dx + ay * dy) / squared));
  return Math.hypot(ax + share * dx, ay + share * dy);
}

function projected([east, north, up]: Position): readonly [x: number, y: number] {
  return [east / up, north / up];
}

/** Returns the point where the chord of an edge crosses the horizon. */
function onHorizon(below: Position, above: Position): Position {
  const share = (HORIZON - below[2]) / (above[2] - below[2]);
  return [below[0] + share * (above[0] - below[0]), below[1] + share * (above[1] - below[1]), HORIZON];
}
