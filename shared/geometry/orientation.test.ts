import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { orientation } from "./orientation.ts";
import type { Point } from "./polygon.ts";

/** Every coordinate in degrees is a multiple of 2^-160, unless it is far below the size of an atom. */
const SCALE = 2 ** 80;

describe("the orientation of a point and a line", () => {
  it.each([
    [[0, 0], [1, 0], [0, 1], 1],
    [[0, 0], [1, 0], [0, -1], -1],
    [[0, 0], [1, 1], [2, 2], 0],
    [[0.1, 0.1], [0.2, 0.2], [0.7, 0.7], 0],
    [[1, 1], [1, 1], [5, 7], 0],
  ] as const)("of %j to %j, point %j: %d", (a, b, c, expected) => {
    expect(Math.sign(orientation(a, b, c))).toBe(expected);
  });

  it("matches integer arithmetic for points that are almost or exactly collinear", () => {
    const coordinate = fc.double({ min: -180, max: 180, noNaN: true }).map((value) => (Math.abs(value) < 1e-20 ? 0 : value));
    const point = fc.tuple(coordinate, coordinate);
    const nudge = fc.integer({ min: -3, max: 3 });
    const seen = new Map<number, number>();
    fc.assert(
      fc.property(point, point, fc.constantFrom(-1, 0, 0.25, 0.5, 0.3, 1, 2), nudge, nudge, (a, b, share, dx, dy) => {
        const on: Point = [a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share];
        const c: Point = [on[0] + dx * Math.abs(on[0]) * 2 ** -52, on[1] + dy * Math.abs(on[1]) * 2 ** -52];
        const sign = exactSide(a, b, c);
        seen.set(sign, (seen.get(sign) ?? 0) + 1);
        expect(Math.sign(orientation(a, b, c)) + 0).toBe(sign);
        expect(Math.sign(orientation(b, a, c)) + sign).toBe(0);
      }),
      { numRuns: 3000, seed: 1 },
    );
    expect(Math.min(...[-1, 0, 1].map((sign) => seen.get(sign) ?? 0))).toBeGreaterThan(50);
  });

  it("matches integer arithmetic next to a distant line, where the plain formula is wrong", () => {
    const [a, b]: [Point, Point] = [
      [12, 12],
      [24, 24],
    ];
    let plainErrs = 0;
    for (let nudge = 0; nudge < 64 * 64; nudge++) {
      const c: Point = [0.5 + (nudge % 64) * 2 ** -53, 0.5 + Math.floor(nudge / 64) * 2 ** -53];
      const plain = (a[0] - c[0]) * (b[1] - c[1]) - (a[1] - c[1]) * (b[0] - c[0]);
      if (Math.sign(plain) !== exactSide(a, b, c)) plainErrs++;
      expect(Math.sign(orientation(a, b, c)) + 0).toBe(exactSide(a, b, c));
    }
    expect(plainErrs).toBeGreaterThan(100);
  });
});

function exactSide(a: Point, b: Point, c: Point): number {
  const whole = (value: number): bigint =>
    BigInt(Math.trunc(value * SCALE)) * BigInt(SCALE) + BigInt((value * SCALE - Math.trunc(value * SCALE)) * SCALE);
  const [ax, ay, bx, by, cx, cy] = [...a, ...b, ...c].map(whole);
  if (ax === undefined || ay === undefined || bx === undefined || by === undefined || cx === undefined || cy === undefined)
    return Number.NaN;
  const side = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
  return side > 0n ? 1 : side < 0n ? -1 : 0;
}
