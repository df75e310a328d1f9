import fc from "fast-check";
import { expect, test } from "vitest";
import type { Position } from "../../../../shared/geometry/crs.ts";
import { runsInside } from "./land-runs.ts";

/** Whether an odd number of edges is west of a position. */
function isInside(rings: readonly (readonly Position[])[], easting: number, northing: number): boolean {
  let inside = false;
  for (const ring of rings)
    for (let index = 1; index < ring.length; index++) {
      const [a, b] = [ring[index - 1], ring[index]];
      if (!a || !b || a.northing > northing === b.northing > northing) continue;
      if (easting > a.easting + ((b.easting - a.easting) * (northing - a.northing)) / (b.northing - a.northing)) inside = !inside;
    }
  return inside;
}

const coordinate = fc.integer({ min: -2000, max: 2000 });
const ring = fc
  .array(fc.record({ easting: coordinate, northing: coordinate }), { minLength: 3, maxLength: 8 })
  .map((positions) => [...positions, ...positions.slice(0, 1)]);

test("the runs are the cells whose middle is inside the rings, each once", () => {
  fc.assert(
    fc.property(fc.array(ring, { minLength: 1, maxLength: 3 }), (rings) => {
      // A middle may lie on an edge when all numbers are multiples of 5.
      const moved = rings.map((positions) =>
        positions.map(({ easting, northing }) => ({ easting: easting * 1.000137 + 0.317, northing: northing * 0.99987 + 0.519 })),
      );
      const expected: string[] = [];
      for (let northing = -2250; northing <= 2250; northing += 250)
        for (let easting = -2250; easting <= 2250; easting += 250)
          if (isInside(moved, easting + 125, northing + 125)) expected.push(`${northing} ${easting}`);
      const found = runsInside(moved, 250).flatMap(({ northing, first, last }) =>
        Array.from({ length: (last - first) / 250 + 1 }, (_, index) => `${northing} ${first + index * 250}`),
      );
      expect(found).toEqual(expected);
    }),
    { numRuns: 300, seed: 1 },
  );
});
