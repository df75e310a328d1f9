import fc from "fast-check";
import { intersection } from "polyclip-ts";
import { describe, expect, it } from "vitest";
import { clipToExtent } from "./clip-to-extent.ts";
import type { Point, Polygon, Ring } from "./polygon.ts";
import { polygons } from "./testing/polygon-arbitrary.ts";

const EXTENT = [10, 60, 11, 61] as const;
const [west, south, east, north] = EXTENT;

describe("a ring clipped to an extent", () => {
  it("stays the same if it is inside or on the border", () => {
    const ring: Ring = [
      [10, 60],
      [11, 60],
      [11, 61],
      [10, 60],
    ];
    expect(clipToExtent(ring, EXTENT)).toBe(ring);
  });

  it.each([
    [
      "next to it",
      [
        [12, 60],
        [13, 60],
        [13, 61],
        [12, 60],
      ],
    ],
    [
      "above it",
      [
        [10, 62],
        [11, 62],
        [11, 63],
        [10, 62],
      ],
    ],
    [
      "around a corner of it",
      [
        [9, 60.9],
        [10.1, 62],
        [9, 62],
        [9, 60.9],
      ],
    ],
  ] as const)("has no area where it lies %s", (_name, ring) => {
    expect(signedArea(clipToExtent(ring, EXTENT))).toBeCloseTo(0, 15);
  });

  it("becomes the extent if it surrounds it", () => {
    const ring: Ring = [
      [0, 50],
      [20, 50],
      [20, 70],
      [0, 70],
      [0, 50],
    ];
    expect(signedArea(clipToExtent(ring, EXTENT))).toBeCloseTo(1, 12);
  });

  it("has the area that polyclip-ts computes, less holes, keeps its direction, is closed and has no point outside", () => {
    let partly = 0;
    fc.assert(
      fc.property(polygons([9.8, 59.8, 11.2, 61.2], 0.5), ({ rings }) => {
        const clipped = rings.map((ring) => clipToExtent(ring, EXTENT));
        for (const ring of clipped) {
          expect(ring.at(-1)).toEqual(ring[0]);
          expect(ring.every(([lon, lat]) => lon >= west && lon <= east && lat >= south && lat <= north)).toBe(true);
        }
        const [shell = 0, ...holes] = clipped.map(signedArea);
        const area = holes.reduce((rest, hole) => rest - hole, shell);
        expect(area).toBeCloseTo(areaInside({ rings }), 9);
        expect(Math.min(shell, ...holes)).toBeGreaterThanOrEqual(-1e-12);
        if (clipped[0] !== rings[0] && area > 0) partly++;
      }),
      { numRuns: 150, seed: 1 },
    );
    expect(partly).toBeGreaterThan(50);
  });
});

function areaInside({ rings }: Polygon): number {
  const box: [number, number][] = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
  const polygon = rings.map((ring) => ring.map(([lon, lat]): [number, number] => [lon, lat]));
  return intersection(polygon, [box]).reduce((sum, part) => sum + part.reduce((area, ring) => area + signedArea(ring), 0), 0);
}

/** Positive for a counter-clockwise ring, like the random ones and polyclip-ts's shells but not its holes. */
function signedArea(ring: Ring): number {
  let twice = 0;
  let before: Point | undefined;
  for (const point of ring) {
    if (before) twice += (before[0] - west) * (point[1] - south) - (point[0] - west) * (before[1] - south);
    before = point;
  }
  return twice / 2;
}
