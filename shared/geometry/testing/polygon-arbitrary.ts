import fc from "fast-check";
import type { Point, Polygon, Ring } from "../polygon.ts";

interface Star {
  /** For each corner its position in its sector and its distance from the middle, both 0 to 1. */
  readonly corners: readonly (readonly [number, number])[];
  readonly middle: Point;
  /** Degrees. */
  readonly radius: readonly [lon: number, lat: number];
}

/** Uniform over 0 to 1, unlike `fc.double`. */
const share = fc.nat(1_000_000).map((millionths) => millionths / 1_000_000);

/**
 * Random valid polygons for tests: jagged stars of at most this radius in degrees of latitude around a point of a box, without holes, with
 * one hole that is a smaller image of the shell, or with two near the middle.
 */
export function polygons([west, south, east, north]: readonly [number, number, number, number], radiusMax: number): fc.Arbitrary<Polygon> {
  const middles = fc.record({ x: share, y: share }).map(({ x, y }): Point => [west + (east - west) * x, south + (north - south) * y]);
  const corners = fc.array(fc.tuple(share, share), { minLength: 8, maxLength: 40 });
  return fc
    .record({
      middle: middles,
      size: share.map((part) => 0.05 + 0.95 * part),
      corners,
      smaller: share,
      kind: fc.nat(2),
      holes: fc.tuple(corners, corners),
    })
    .map(({ middle, size, corners, smaller, kind, holes }) => {
      const radius = [2 * radiusMax * size, radiusMax * size] as const;
      const shell = starRing({ corners, middle, radius });
      if (kind === 0) return { rings: [shell] };
      if (kind === 1) return { rings: [shell, starRing({ corners, middle, radius: scaled(radius, 0.02 + 0.95 * smaller) })] };
      // The edges of a star with 8 or more corners stay at least 0.2 of its radius away from its middle.
      const small = scaled(radius, 0.09);
      return {
        rings: [
          shell,
          ...holes.map((hole, index) =>
            starRing({ corners: hole, middle: [middle[0] + (index * 2 - 1) * radius[0] * 0.1, middle[1]], radius: small }),
          ),
        ],
      };
    });
}

/** Cuts a ring in two through `middle`. The ring must be a star around it. */
export function halvesOf(ring: Ring, middle: Point): [Polygon, Polygon] {
  const half = ring.length >> 1;
  const close = (points: readonly Point[]): Polygon => ({ rings: [[middle, ...points, middle]] });
  return [close(ring.slice(0, half + 1)), close(ring.slice(half))];
}

/** Random star-shaped rings around a middle, of at most this radius in degrees of latitude. */
export function stars(middle: Point, radius: number): fc.Arbitrary<Ring> {
  return fc
    .array(fc.tuple(share, share), { minLength: 8, maxLength: 40 })
    .map((corners) => starRing({ corners, middle, radius: [2 * radius, radius] }));
}

function starRing({ corners, middle, radius }: Star): Ring {
  const points = corners.map(([turn, distance], index): Point => {
    const angle = (2 * Math.PI * (index + 0.9 * turn)) / corners.length;
    const reach = 0.3 + 0.7 * distance;
    return [middle[0] + radius[0] * reach * Math.cos(angle), middle[1] + radius[1] * reach * Math.sin(angle)];
  });
  return [...points, ...points.slice(0, 1)];
}

function scaled([lon, lat]: readonly [number, number], by: number): [number, number] {
  return [lon * by, lat * by];
}
