import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CRS_EXTENTS, CRSS, type Crs } from "./crs.ts";
import { DEVIATION_METRES, projectRing } from "./densify.ts";
import type { Point } from "./polygon.ts";
import { project } from "./projection.ts";

function points(crs: Crs): fc.Arbitrary<Point> {
  const [west, south, east, north] = CRS_EXTENTS[crs];
  return fc.tuple(fc.double({ min: west, max: east, noNaN: true }), fc.double({ min: south, max: north, noNaN: true }));
}

describe.each(CRSS)("%s", (crs) => {
  it("approximates an edge that is straight in degrees within the promised distance", () => {
    const reach = fc.constantFrom(1e-4, 0.01, 0.1, 1, 10, 60);
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(points(crs), points(crs), reach, fc.array(share, { minLength: 20, maxLength: 20 }), (a, far, degrees, shares) => {
        const b = toward(a, far, degrees);
        const chain = projectRing([a, b], crs);
        for (const along of shares) {
          // Chains are evenly spaced in degrees, so only the edges next to this one can be nearest.
          const near = Math.min(chain.length - 2, Math.floor(along * (chain.length - 1)));
          const truth = project(crs, between(a, b, along));
          const sides = [near - 1, near, near + 1].map((side) => distance(truth, chain[side], chain[side + 1]));
          expect(Math.min(...sides)).toBeLessThan(DEVIATION_METRES);
        }
      }),
      { numRuns: 400, seed: 2 },
    );
  });

  it("has the same chain for an edge in both directions", () => {
    fc.assert(
      fc.property(points(crs), points(crs), (a, b) => {
        expect(projectRing([b, a], crs)).toEqual(projectRing([a, b], crs).toReversed());
      }),
      { numRuns: 30, seed: 3 },
    );
  });
});

describe("known positions", () => {
  it.each([
    ["the origin of EPSG:3035", "EPSG:3035", [10, 52], 4_321_000, 3_210_000],
    ["the example of IOGP's Guidance Note 7-2 for EPSG:3035", "EPSG:3035", [5, 50], 3_962_799.45, 2_999_718.85],
    ["60° north on the middle meridian of EPSG:25833", "EPSG:25833", [15, 60], 500_000, 6_651_411.19],
  ] as const)("%s", (_name, crs, point, easting, northing) => {
    const position = project(crs, point);
    expect(position.easting).toBeCloseTo(easting, 2);
    expect(position.northing).toBeCloseTo(northing, 2);
  });
});

function between(a: Point, b: Point, share: number): Point {
  return [a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share];
}

/** A point at most this many degrees from `a` in the direction of `b`. */
function toward(a: Point, b: Point, degrees: number): Point {
  const length = Math.hypot(b[0] - a[0], b[1] - a[1]);
  return length <= degrees ? b : between(a, b, degrees / length);
}

type Position = ReturnType<typeof project>;

function distance(from: Position, a: Position | undefined, b: Position | undefined): number {
  if (!a || !b) return Number.POSITIVE_INFINITY;
  const [dx, dy] = [b.easting - a.easting, b.northing - a.northing];
  const [px, py] = [from.easting - a.easting, from.northing - a.northing];
  const square = dx * dx + dy * dy;
  const along = square === 0 ? 0 : Math.min(1, Math.max(0, (px * dx + py * dy) / square));
  return Math.hypot(px - along * dx, py - along * dy);
}
