import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Bbox } from "./bbox.ts";
import { touchesBox } from "./touches-box.ts";
import { geometryOf } from "./wkt-to-geojson.ts";

const touches = (wkt: string, box: Bbox) => touchesBox(geometryOf(wkt), box);
const TRIANGLE = "POLYGON((0 0, 10 0, 0 10, 0 0))";
const WITH_HOLE = "POLYGON((0 0, 10 0, 10 10, 0 10, 0 0), (2 2, 8 2, 8 8, 2 8, 2 2))";

describe("a geometry touches a box", () => {
  it.each<[string, string, Bbox, boolean]>([
    ["that holds it", TRIANGLE, [-1, -1, 11, 11], true],
    ["inside of it", TRIANGLE, [1, 1, 2, 2], true],
    ["at a corner", TRIANGLE, [-1, -1, 0, 0], true],
    ["along an edge", TRIANGLE, [-2, 2, 0, 3], true],
    ["that an edge crosses without a corner in it", TRIANGLE, [4, 4, 6, 6], true],
    ["whose bounding box overlaps only", TRIANGLE, [6, 6, 9, 9], false],
    ["far away", TRIANGLE, [20, 20, 21, 21], false],
    ["in its hole", WITH_HOLE, [3, 3, 4, 4], false],
    ["at its hole's edge", WITH_HOLE, [3, 3, 8, 4], true],
    ["in one of several polygons", `MULTIPOLYGON(((20 20, 21 20, 20 21, 20 20)), ((0 0, 10 0, 0 10, 0 0)))`, [1, 1, 2, 2], true],
    ["on a line", "LINESTRING(0 0, 10 10)", [4, 4, 5, 5], true],
    ["beside a line", "LINESTRING(0 0, 10 10)", [4, 5.5, 5, 6], false],
    ["on one of several lines", "MULTILINESTRING((20 20, 30 30), (0 0, 10 10))", [4, 4, 5, 5], true],
  ])("%s", (_where, wkt, box, expected) => {
    expect(touches(wkt, box)).toBe(expected);
  });

  it("exactly where a fine grid of its points finds one in common", () => {
    const coordinate = fc.integer({ min: 0, max: 12 });
    const point = fc.tuple(coordinate, coordinate);
    fc.assert(
      fc.property(point, point, point, point, ([ax, ay], [bx, by], [cx, cy], [west, south]) => {
        fc.pre((bx - ax) * (cy - ay) !== (cx - ax) * (by - ay));
        const box: Bbox = [west, south, west + 1, south + 1];
        const isClose = Array.from({ length: 61 }, (_, i) => i / 60).some((s) =>
          Array.from({ length: 61 }, (_, j) => j / 60)
            .filter((t) => s + t <= 1)
            .some((t) => {
              const [x, y] = [ax + s * (bx - ax) + t * (cx - ax), ay + s * (by - ay) + t * (cy - ay)];
              return x >= west && x <= west + 1 && y >= south && y <= south + 1;
            }),
        );
        const found = touches(`POLYGON((${ax} ${ay}, ${bx} ${by}, ${cx} ${cy}, ${ax} ${ay}))`, box);
        // A sampled point in common is one; a thin overlap may lie between the samples.
        if (isClose) expect(found).toBe(true);
        else if (found) expect(touches(`POLYGON((${ax} ${ay}, ${bx} ${by}, ${cx} ${cy}, ${ax} ${ay}))`, grown(box, -0.4))).toBe(false);
      }),
      { seed: 1, numRuns: 300 },
    );
  });
});

function grown([west, south, east, north]: Bbox, by: number): Bbox {
  return [west - by, south - by, east + by, north + by];
}
