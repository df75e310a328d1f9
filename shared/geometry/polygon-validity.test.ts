import fc from "fast-check";
import { difference, intersection } from "polyclip-ts";
import { describe, expect, it } from "vitest";
import type { Point } from "./polygon.ts";
import { polygonFault } from "./polygon-validity.ts";

type Corner = readonly [number, number];

/** Corners on a small lattice, so that touching, overlapping and collinear edges are common. */
const corner = fc.tuple(fc.integer({ min: 0, max: 6 }), fc.integer({ min: 0, max: 6 }));
const SQUARE: readonly Corner[] = [
  [0, 0],
  [6, 0],
  [6, 6],
  [0, 6],
];
const shells = fc.oneof(fc.constant(SQUARE), fc.array(corner, { minLength: 3, maxLength: 6 }));
const hole = fc.array(corner, { minLength: 3, maxLength: 4 });
/** Sixteenths of a degree are exact, and a polygon of six of them is far below the area limit. */
const degrees = (ring: readonly Corner[]): Point[] => [...ring, ...ring.slice(0, 1)].map(([x, y]) => [x / 16, y / 16]);
const accepts = (rings: readonly (readonly Corner[])[]): boolean => polygonFault({ rings: rings.map(degrees) }) === undefined;

describe("a ring", () => {
  it("is accepted exactly if a pairwise comparison of its edges finds no contact except between neighbours", () => {
    let accepted = 0;
    fc.assert(
      fc.property(fc.array(corner, { minLength: 3, maxLength: 7 }), (ring) => {
        if (isSimple(ring)) accepted++;
        expect(accepts([ring])).toBe(isSimple(ring));
      }),
      { numRuns: 4000, seed: 1 },
    );
    expect(accepted).toBeGreaterThan(100);
  });
});

describe("holes", () => {
  it("are accepted exactly if they are inside, overlap nothing, share no edge with a ring and leave the inside connected", () => {
    const seen = { accepted: 0, refused: 0 };
    fc.assert(
      fc.property(shells, fc.array(hole, { minLength: 1, maxLength: 3 }), (shell, holes) => {
        fc.pre([shell, ...holes].every(isSimple));
        const right = holesAreRight(shell, holes);
        fc.pre(right !== undefined);
        seen[right ? "accepted" : "refused"]++;
        expect(accepts([shell, ...holes])).toBe(right);
      }),
      { numRuns: 1500, seed: 1 },
    );
    expect(Math.min(seen.accepted, seen.refused)).toBeGreaterThan(50);
  });

  it("are judged independently of the direction, the first point and the order of the rings", () => {
    fc.assert(
      fc.property(shells, fc.array(hole, { minLength: 1, maxLength: 3 }), fc.boolean(), fc.nat(5), (shell, holes, reverse, turn) => {
        const other = (ring: readonly Corner[]): Corner[] => {
          const turned = [...ring.slice(turn % ring.length), ...ring.slice(0, turn % ring.length)];
          return reverse ? turned.reverse() : turned;
        };
        expect(accepts([other(shell), ...holes.map(other).reverse()])).toBe(accepts([shell, ...holes]));
      }),
      { numRuns: 1500, seed: 1 },
    );
  });
});

function isSimple(ring: readonly Corner[]): boolean {
  const corners = ring.filter((point, index) => !same(point, ring.at(index - 1)));
  if (corners.length < 3) return false;
  const sides = sidesOf(corners);
  return sides.every(([a, b], i) =>
    sides.every(([c, d], j) => {
      if (i === j) return true;
      const neighbours = (i + 1) % sides.length === j || (j + 1) % sides.length === i;
      if (!neighbours) return !meet(a, b, c, d);
      // Neighbours may meet only in their shared corner.
      const [p, q, r] = (i + 1) % sides.length === j ? [a, b, d] : [c, d, b];
      return turn(p, q, r) !== 0 || (p[0] - q[0]) * (r[0] - q[0]) + (p[1] - q[1]) * (r[1] - q[1]) < 0;
    }),
  );
}

/** Undefined if polyclip-ts fails, as it does on some touching corners. */
function holesAreRight(shell: readonly Corner[], holes: readonly (readonly Corner[])[]): boolean | undefined {
  try {
    return clippedRight(shell, holes);
  } catch (error) {
    if (error instanceof Error && error.message.startsWith("Unable to complete output ring")) return undefined;
    throw error;
  }
}

function clippedRight(shell: readonly Corner[], holes: readonly (readonly Corner[])[]): boolean {
  const area = (a: readonly Corner[], b: readonly Corner[], operation: typeof difference): number =>
    operation([closed(a)], [closed(b)]).length;
  const rings = [shell, ...holes];
  const pairs = rings.flatMap((a, i) => rings.slice(i + 1).map((b) => [a, b] as const));
  if (holes.some((one) => area(one, shell, difference) > 0)) return false;
  if (holes.some((one, i) => holes.slice(i + 1).some((two) => area(one, two, intersection) > 0))) return false;
  if (pairs.some(([a, b]) => sidesOf(a).some(([p, q]) => sidesOf(b).some(([r, s]) => overlap(p, q, r, s))))) return false;
  return difference([closed(shell)], ...holes.map((one) => [closed(one)])).length === 1;
}

function closed(ring: readonly Corner[]): [number, number][] {
  return [...ring, ...ring.slice(0, 1)].map(([x, y]) => [x, y]);
}

function sidesOf(ring: readonly Corner[]): [Corner, Corner][] {
  return ring.flatMap((a, index) => {
    const b = ring[(index + 1) % ring.length];
    return b && !same(a, b) ? [[a, b]] : [];
  });
}

function same(a: Corner, b: Corner | undefined): boolean {
  return a[0] === b?.[0] && a[1] === b[1];
}

/** Twice the area of a triangle, exact for small integers. */
function turn(a: Corner, b: Corner, c: Corner): number {
  return Math.sign((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]));
}

function within(a: Corner, b: Corner, c: Corner): boolean {
  const [x, y] = c;
  return x >= Math.min(a[0], b[0]) && x <= Math.max(a[0], b[0]) && y >= Math.min(a[1], b[1]) && y <= Math.max(a[1], b[1]);
}

function meet(a: Corner, b: Corner, c: Corner, d: Corner): boolean {
  const on = (p: Corner, q: Corner, r: Corner): boolean => turn(p, q, r) === 0 && within(p, q, r);
  if (on(a, b, c) || on(a, b, d) || on(c, d, a) || on(c, d, b)) return true;
  return turn(a, b, c) * turn(a, b, d) < 0 && turn(c, d, a) * turn(c, d, b) < 0;
}

/** Whether two edges share more than a point. */
function overlap(a: Corner, b: Corner, c: Corner, d: Corner): boolean {
  if (turn(a, b, c) !== 0 || turn(a, b, d) !== 0) return false;
  const axis = a[0] === b[0] ? 1 : 0;
  return (
    Math.max(Math.min(a[axis], b[axis]), Math.min(c[axis], d[axis])) < Math.min(Math.max(a[axis], b[axis]), Math.max(c[axis], d[axis]))
  );
}
