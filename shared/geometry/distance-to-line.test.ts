import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { distanceToLine, type Line } from "./distance-to-line.ts";
import type { Point } from "./polygon.ts";
import { direct, inverse } from "./testing/vincenty.ts";

const STEPS = 40;
/** Uniform over 0 to 1, unlike `fc.double`. */
const share = fc.nat(1_000_000).map((millionths) => millionths / 1_000_000);
const points = fc.tuple(share, share).map(([lon, lat]): Point => [360 * lon - 180, 178 * lat - 89]);

/** Metres from a point to the nearest of many points on a line's geodesics, refined by a search between the nearest ones. */
function reference(point: Point, line: Line): number {
  let least = Number.POSITIVE_INFINITY;
  let a = line[0];
  for (const b of line.slice(1)) {
    if (a) least = Math.min(least, referenceToEdge(point, a, b));
    a = b;
  }
  return least;
}

function referenceToEdge(point: Point, a: Point, b: Point): number {
  const { metres: length, azimuth } = inverse(a, b);
  const metresAt = (along: number) => inverse(point, direct(a, azimuth, along)).metres;
  const at = (step: number) => (length * Math.min(STEPS, Math.max(0, step))) / STEPS;
  const metres = Array.from({ length: STEPS + 1 }, (_, step) => metresAt(at(step)));
  const nearest = metres.indexOf(Math.min(...metres));
  let [from, to] = [at(nearest - 1), at(nearest + 1)];
  for (let round = 0; round < 40; round++) {
    const [first, second] = [from + (to - from) / 3, to - (to - from) / 3];
    if (metresAt(first) < metresAt(second)) to = second;
    else from = first;
  }
  return Math.min(metresAt((from + to) / 2), ...metres);
}

/** A point and an edge of at most this many metres that passes it within 2.1 km, or ends there. */
function passing(lengthMax: number): fc.Arbitrary<{ point: Point; line: Line }> {
  return fc
    .record({ point: points, bearing: share, off: share, turn: share, before: share, after: share })
    .map(({ point, bearing, off, turn, before, after }) => {
      const middle = direct(point, 360 * bearing, 2100 * off);
      return {
        point,
        line: [
          direct(middle, 360 * turn, (before * lengthMax) / 2),
          middle,
          direct(middle, 360 * (turn + bearing) + 90, (after * lengthMax) / 2),
        ],
      };
    });
}

/** The same with the ends in a line, so that the nearest point is usually within the edge. */
function crossing(lengthMax: number): fc.Arbitrary<{ point: Point; line: Line }> {
  return fc
    .record({ point: points, bearing: share, off: share, tilt: share, before: share, after: share })
    .map(({ point, bearing, off, tilt, before, after }) => {
      const foot = direct(point, 360 * bearing, 2100 * off);
      const across = inverse(foot, point).azimuth + 80 + 20 * tilt;
      return { point, line: [direct(foot, across, (before * lengthMax) / 2), direct(foot, across + 180, (after * lengthMax) / 2)] };
    });
}

describe("the distance from a point to a line", () => {
  it.each([
    ["0.1 mm for edges of up to 20 km", 20_000, 0.0001],
    ["5 mm for edges of up to 100 km", 100_000, 0.005],
  ])("is within %s of Vincenty's, all over the Earth", (_what, lengthMax, error) => {
    const check = ({ point, line }: { point: Point; line: Line }) => {
      expect(Math.abs(distanceToLine(point, line) - reference(point, line))).toBeLessThan(error);
    };
    fc.assert(fc.property(crossing(lengthMax), check), { numRuns: 150, seed: 1 });
    fc.assert(fc.property(passing(lengthMax), check), { numRuns: 150, seed: 2 });
  });

  it("ignores the line's direction, full turns of longitude and repeated vertices", () => {
    fc.assert(
      fc.property(passing(5000), ({ point, line }) => {
        const metres = distanceToLine(point, line);
        const turned = line.map(([lon, lat]): Point => [lon + (lon < point[0] ? 360 : -360), lat]);
        const repeated = line.flatMap((vertex) => [vertex, vertex]);
        for (const same of [line.toReversed(), turned, repeated]) expect(distanceToLine(point, same)).toBeCloseTo(metres, 5);
      }),
      { seed: 3 },
    );
  });

  it("across the antimeridian is short", () => {
    const metres = distanceToLine(
      [-179.9995, -17],
      [
        [179.99, -17.01],
        [-179.99, -17.01],
      ],
    );
    expect(metres).toBeCloseTo(inverse([-179.9995, -17], [-179.9995, -17.01]).metres, 1);
  });

  it("is the distance to a line's only vertex", () => {
    const [point, vertex]: [Point, Point] = [
      [24.75, 59.43],
      [24.77, 59.44],
    ];
    expect(distanceToLine(point, [vertex])).toBeCloseTo(inverse(point, vertex).metres, 4);
    expect(distanceToLine(point, [vertex, vertex])).toBeCloseTo(inverse(point, vertex).metres, 4);
  });

  it("is 0 on the line, and never negative or NaN", () => {
    const line: Line = [
      [24.75, 59.43],
      [24.77, 59.44],
    ];
    for (const vertex of line) expect(distanceToLine(vertex, line)).toBeCloseTo(0, 6);
    expect(distanceToLine([24.75, 59.43], [[24.75, 59.43]])).toBeCloseTo(0, 6);
    const pole: Point = [0, 90];
    expect(distanceToLine(pole, [pole, pole])).toBeCloseTo(0, 6);
  });

  it("is correct if an edge starts or ends on the other half of the Earth", () => {
    const equator: Line = [
      [-100, 0],
      [70, 0],
    ];
    const point: Point = [10, 0.01];
    for (const line of [equator, equator.toReversed()]) {
      expect(Math.abs(distanceToLine(point, line) - inverse(point, [10, 0]).metres)).toBeLessThan(50);
    }
  });

  it("is a quarter of the Earth's circumference if no line is on this half of it", () => {
    const far: Line = [
      [-170, -60],
      [-165, -55],
    ];
    for (const line of [[], far]) expect(distanceToLine([10, 60], line) / 10_000_000).toBeCloseTo(1, 1);
  });
});
