import type { Point } from "../polygon.ts";

const AXIS = 6_378_137;
const F = 1 / 298.257223563;
const POLAR = AXIS * (1 - F);
const RADIANS = Math.PI / 180;
const ROUNDS_MAX = 200;
/** Each iteration of the direct formula adds more than two digits. */
const DIRECT_ROUNDS = 10;

/** Shared by both formulas: sigma is the angle between the points on an auxiliary sphere, middle that from the equator to halfway. */
interface Arc {
  readonly sigma: number;
  readonly cosSqAlpha: number;
  readonly cosMiddle: number;
}

function squareOfU({ cosSqAlpha }: Pick<Arc, "cosSqAlpha">): number {
  return (cosSqAlpha * (AXIS * AXIS - POLAR * POLAR)) / (POLAR * POLAR);
}

function scale(u2: number): number {
  return 1 + (u2 / 16384) * (4096 + u2 * (-768 + u2 * (320 - 175 * u2)));
}

function deltaSigma(arc: Arc): number {
  const u2 = squareOfU(arc);
  const b = (u2 / 1024) * (256 + u2 * (-128 + u2 * (74 - 47 * u2)));
  const [sine, cosine, middle] = [Math.sin(arc.sigma), Math.cos(arc.sigma), arc.cosMiddle];
  const last = (b / 6) * middle * (-3 + 4 * sine * sine) * (-3 + 4 * middle * middle);
  return b * sine * (middle + (b / 4) * (cosine * (-1 + 2 * middle * middle) - last));
}

function lambdaCorrection(arc: Arc, sinAlpha: number): number {
  const { sigma, cosSqAlpha, cosMiddle } = arc;
  const c = (F / 16) * cosSqAlpha * (4 + F * (4 - 3 * cosSqAlpha));
  const inner = cosMiddle + c * Math.cos(sigma) * (-1 + 2 * cosMiddle * cosMiddle);
  return (1 - c) * F * sinAlpha * (sigma + c * Math.sin(sigma) * inner);
}

function reduced(lat: number): number {
  return Math.atan((1 - F) * Math.tan(lat * RADIANS));
}

/**
 * Returns the metres along the geodesic on WGS 84 between two points, and its azimuth at the first (degrees from north, clockwise). The
 * reference for tests. Source: T. Vincenty, Direct and inverse solutions of geodesics on the ellipsoid, Survey Review 23 (1975). Not for
 * antipodal points.
 */
export function inverse(from: Point, to: Point): { readonly metres: number; readonly azimuth: number } {
  const [u1, u2, l] = [reduced(from[1]), reduced(to[1]), (to[0] - from[0]) * RADIANS];
  const [s1, c1, s2, c2] = [Math.sin(u1), Math.cos(u1), Math.sin(u2), Math.cos(u2)];
  let lambda = l;
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const [x, y] = [c1 * s2 - s1 * c2 * Math.cos(lambda), c2 * Math.sin(lambda)];
    const sinSigma = Math.hypot(x, y);
    if (sinSigma === 0) return { metres: 0, azimuth: 0 };
    const cosSigma = s1 * s2 + c1 * c2 * Math.cos(lambda);
    const sinAlpha = (c1 * c2 * Math.sin(lambda)) / sinSigma;
    const cosSqAlpha = 1 - sinAlpha * sinAlpha;
    const cosMiddle = cosSqAlpha === 0 ? 0 : cosSigma - (2 * s1 * s2) / cosSqAlpha;
    const arc = { sigma: Math.atan2(sinSigma, cosSigma), cosSqAlpha, cosMiddle };
    const next = l + lambdaCorrection(arc, sinAlpha);
    const settled = Math.abs(next - lambda) < 1e-15;
    lambda = next;
    if (settled) return { metres: POLAR * scale(squareOfU(arc)) * (arc.sigma - deltaSigma(arc)), azimuth: Math.atan2(y, x) / RADIANS };
  }
  throw new Error(`Vincenty's inverse does not converge between ${from.join(" ")} and ${to.join(" ")}`);
}

/** Returns the point at a distance in metres along the geodesic that starts at an azimuth (degrees from north, clockwise). */
export function direct([lon, lat]: Point, azimuth: number, metres: number): Point {
  const [u1, a1] = [reduced(lat), azimuth * RADIANS];
  const [s1, c1, sinA, cosA] = [Math.sin(u1), Math.cos(u1), Math.sin(a1), Math.cos(a1)];
  const [sigma1, sinAlpha] = [Math.atan2(Math.tan(u1), cosA), c1 * sinA];
  const cosSqAlpha = 1 - sinAlpha * sinAlpha;
  const plain = metres / (POLAR * scale(squareOfU({ cosSqAlpha })));
  const arcOf = (sigma: number): Arc => ({ sigma, cosSqAlpha, cosMiddle: Math.cos(2 * sigma1 + sigma) });
  let sigma = plain;
  for (let round = 0; round < DIRECT_ROUNDS; round++) sigma = plain + deltaSigma(arcOf(sigma));
  const [sine, cosine] = [Math.sin(sigma), Math.cos(sigma)];
  const flat = s1 * sine - c1 * cosine * cosA;
  const latitude = Math.atan2(s1 * cosine + c1 * sine * cosA, (1 - F) * Math.hypot(sinAlpha, flat));
  const lambda = Math.atan2(sine * sinA, c1 * cosine - s1 * sine * cosA);
  const longitude = lon + (lambda - lambdaCorrection(arcOf(sigma), sinAlpha)) / RADIANS;
  return [((((longitude + 180) % 360) + 360) % 360) - 180, latitude / RADIANS];
}
