import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DEVIATION_METRES, projectRing } from "./densify.ts";
import { boundaryLength, geodeticArea } from "./geodetic-area.ts";
import type { Polygon } from "./polygon.ts";
import { project } from "./projection.ts";
import { polygons } from "./testing/polygon-arbitrary.ts";

function box(west: number, south: number, east: number, north: number): Polygon {
  return {
    rings: [
      [
        [west, south],
        [east, south],
        [east, north],
        [west, north],
        [west, south],
      ],
    ],
  };
}

describe("the area of a polygon on the ellipsoid", () => {
  it("of the whole world is its surface", () => {
    expect(geodeticArea(box(-180, -90, 180, 90)) / 510_065_621_724_089).toBeCloseTo(1, 3);
    const bands = Array.from({ length: 180 }, (_, south) => geodeticArea(box(-180, south - 90, 180, south - 89)));
    expect(bands.reduce((sum, band) => sum + band, 0) / 510_065_621_724_089).toBeCloseTo(1, 9);
  });

  it("equals that of its image in an equal-area projection", () => {
    fc.assert(
      fc.property(polygons([5, 50, 28, 70], 0.1), (polygon) => {
        const [shell = 0, ...holes] = polygon.rings.map((ring) => planeArea(projectRing(ring, "EPSG:3035")));
        const area = holes.reduce((rest, hole) => rest - hole, shell);
        // The image deviates by at most this distance along the whole boundary.
        expect(Math.abs(geodeticArea(polygon) - area)).toBeLessThan(DEVIATION_METRES * boundaryLength(polygon));
      }),
      { numRuns: 200, seed: 1 },
    );
  });

  it("depends on neither direction nor hemisphere", () => {
    const square = geodeticArea(box(10, 50, 11, 51));
    expect(geodeticArea({ rings: box(10, 50, 11, 51).rings.map((ring) => ring.toReversed()) })).toBeCloseTo(square, 0);
    expect(geodeticArea(box(-11, -51, -10, -50))).toBeCloseTo(square, 0);
  });
});

describe("the length of a boundary", () => {
  it("adds all rings, within a percent", () => {
    const [shell, hole] = [box(10, 60, 10.2, 60.1), box(10.05, 60.02, 10.1, 60.04)];
    const plane = [...shell.rings, ...hole.rings].flatMap((ring) =>
      ring.slice(1).map((point, index) => {
        const before = ring[index] ?? point;
        const [a, b] = [project("EPSG:25833", before), project("EPSG:25833", point)];
        return Math.hypot(b.easting - a.easting, b.northing - a.northing);
      }),
    );
    const whole = plane.reduce((sum, length) => sum + length, 0);
    expect(Math.abs(boundaryLength({ rings: [...shell.rings, ...hole.rings] }) / whole - 1)).toBeLessThan(0.01);
  });
});

function planeArea(ring: readonly { readonly easting: number; readonly northing: number }[]): number {
  const [start = { easting: 0, northing: 0 }] = ring;
  const twice = ring.reduce((sum, point, index) => {
    const before = ring[index - 1] ?? start;
    return (
      sum +
      (before.easting - start.easting) * (point.northing - start.northing) -
      (point.easting - start.easting) * (before.northing - start.northing)
    );
  }, 0);
  return Math.abs(twice) / 2;
}
