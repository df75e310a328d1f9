import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Point, Ring } from "./polygon.ts";
import { polygons } from "./testing/polygon-arbitrary.ts";
import { geometryOf } from "./wkt-to-geojson.ts";

const SQUARE = "0 0, 2 0, 2 2, 0 2, 0 0";

function ringText(ring: Ring): string {
  return `(${ring.map(([lon, lat]) => `${lon} ${lat}`).join(", ")})`;
}

/** Whether a ring is counter-clockwise, determined at its lowest corner rather than by its area. */
function isCounterClockwise(ring: readonly Point[]): boolean {
  const points = ring.slice(1);
  const lowest = points.reduce(
    (best, point, index) => ((point[1] - (points[best]?.[1] ?? 0) || point[0] - (points[best]?.[0] ?? 0)) < 0 ? index : best),
    0,
  );
  const at = (index: number): Point => points.at(index % points.length) ?? [0, 0];
  const [a, b, c] = [at(lowest - 1), at(lowest), at(lowest + 1)];
  return (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0]) > 0;
}

describe("the GeoJSON of a polygon", () => {
  it("has its shell counter-clockwise and its holes clockwise, whatever the direction in the WKT, and the same points", () => {
    fc.assert(
      fc.property(polygons([-170, -80, 170, 80], 0.5), fc.infiniteStream(fc.boolean()), ({ rings }, reverse) => {
        const given = rings.map((ring) => (reverse.next().value ? ring.toReversed() : ring));
        const geometry = geometryOf(`POLYGON(${given.map(ringText).join(", ")})`);
        if (geometry.type !== "Polygon") throw new Error(`it is a ${geometry.type}`);
        expect(geometry.coordinates.map(isCounterClockwise)).toEqual(rings.map((_, index) => index === 0));
        for (const [index, ring] of geometry.coordinates.entries()) expect([given[index], given[index]?.toReversed()]).toContainEqual(ring);
      }),
      { numRuns: 200, seed: 1 },
    );
  });

  it("has the same winding for a 250 m cell as for a country", () => {
    const [lon, lat, side] = [24.745123456789, 59.437123456789, 0.002];
    const clockwise: Ring = [
      [lon, lat],
      [lon, lat + side],
      [lon + side, lat + side],
      [lon + side, lat],
      [lon, lat],
    ];
    expect(geometryOf(`POLYGON(${ringText(clockwise)})`)).toEqual({ type: "Polygon", coordinates: [clockwise.toReversed()] });
  });
});

describe("the GeoJSON of", () => {
  it.each([
    [
      "a line keeps its direction",
      "LINESTRING(1 3, 1 2, 0.5 -1.25e-1)",
      {
        type: "LineString",
        coordinates: [
          [1, 3],
          [1, 2],
          [0.5, -0.125],
        ],
      },
    ],
    [
      "lines, in any letter case and spacing",
      " multiLineString (( 1 2,3 4 ),(5 6 , 7 8)) ",
      {
        type: "MultiLineString",
        coordinates: [
          [
            [1, 2],
            [3, 4],
          ],
          [
            [5, 6],
            [7, 8],
          ],
        ],
      },
    ],
    [
      "polygons winds each of them, holes too",
      `MULTIPOLYGON(((${SQUARE}), (0.5 0.5, 1 0.5, 1 1, 0.5 0.5)), ((5 5, 5 6, 6 6, 5 5)))`,
      {
        type: "MultiPolygon",
        coordinates: [
          [
            [
              [0, 0],
              [2, 0],
              [2, 2],
              [0, 2],
              [0, 0],
            ],
            [
              [0.5, 0.5],
              [1, 1],
              [1, 0.5],
              [0.5, 0.5],
            ],
          ],
          [
            [
              [5, 5],
              [6, 6],
              [5, 6],
              [5, 5],
            ],
          ],
        ],
      },
    ],
  ])("%s", (_what, wkt, geometry) => {
    expect(geometryOf(wkt)).toEqual(geometry);
  });

  it.each([
    "",
    "POINT(1 2)",
    "POLYGON EMPTY",
    `POLYGON((${SQUARE})) x`,
    "LINESTRING(1 2, 3)",
    "LINESTRING(1 2 3, 4 5 6)",
    "LINESTRING(1 2, 3 4",
  ])("%j is an error", (wkt) => {
    expect(() => geometryOf(wkt)).toThrow();
  });
});
