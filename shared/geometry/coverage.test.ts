import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Coverage, coverPolygon } from "./coverage.ts";
import type { Position } from "./crs.ts";
import { projectRing } from "./densify.ts";
import { CELL_METRES, cellCorner, type Grid } from "./grid.ts";
import type { Point, Polygon, Ring } from "./polygon.ts";
import { halvesOf, polygons, stars } from "./testing/polygon-arbitrary.ts";

const CELL_AREA = CELL_METRES ** 2;
const NORWAY: Grid = { crs: "EPSG:25833", eastingOffset: 2_000_000, extent: [4, 57.8, 31.4, 71.4] };
const BOX = [5, 58.5, 30, 71] as const;
const share = fc.nat(1_000_000).map((millionths) => millionths / 1_000_000);

describe("a covered polygon", () => {
  it("has weights in (0, 1], in cells from south-west to north-east, that add up to its projected area within 1e-9", () => {
    fc.assert(
      fc.property(polygons(BOX, 0.1), (polygon) => {
        const coverage = coverPolygon(polygon, NORWAY);
        const [shell = 0, ...holes] = polygon.rings.map((ring) => exactArea(projectRing(ring, NORWAY.crs)));
        const area = holes.reduce((rest, hole) => rest - hole, shell);
        expect(Math.abs(weightSum(coverage) * CELL_AREA - area)).toBeLessThan(1e-9 * area);
        expect(Math.abs(coverage.areaSquareMetres - area)).toBeLessThan(1e-9 * area);
        expect(coverage.cells.every(({ weight }) => weight > 0 && weight <= 1)).toBe(true);
        const order = coverage.cells
          .map(({ cellId }) => cellCorner(NORWAY, cellId))
          .map(({ easting, northing }) => northing * 1e8 + easting);
        expect(order.every((place, index) => index === 0 || place > (order[index - 1] ?? 0))).toBe(true);
      }),
      { numRuns: 150, seed: 1 },
    );
  });

  it("does not depend on the direction or first point of its rings or the order of its holes", () => {
    fc.assert(
      fc.property(polygons(BOX, 0.02), fc.nat(50), fc.boolean(), ({ rings: [shell = [], ...holes] }, turn, reverse) => {
        const other = (ring: Ring): Ring => {
          const points = ring.slice(1);
          const turned = [...points.slice(turn % points.length), ...points.slice(0, turn % points.length)];
          const closed = [...turned, ...turned.slice(0, 1)];
          return reverse ? closed.reverse() : closed;
        };
        const again = { rings: [other(shell), ...holes.map(other).reverse()] };
        expectAlike([coverPolygon(again, NORWAY)], [coverPolygon({ rings: [shell, ...holes] }, NORWAY)]);
      }),
      { numRuns: 100, seed: 2 },
    );
  });

  it("is the sum of the coverages of its two halves", () => {
    const middle: Point = [10.75, 59.91];
    fc.assert(
      fc.property(stars(middle, 0.1), (ring) => {
        const parts = halvesOf(ring, middle).map((half) => coverPolygon(half, NORWAY));
        expectAlike(parts, [coverPolygon({ rings: [ring] }, NORWAY)]);
      }),
      { numRuns: 100, seed: 3 },
    );
  });

  it("is that of its shell minus its holes", () => {
    fc.assert(
      fc.property(polygons(BOX, 0.02), (polygon) => {
        const whole = coverPolygon({ rings: polygon.rings.slice(0, 1) }, NORWAY);
        const holes = polygon.rings.slice(1).map((hole) => coverPolygon({ rings: [hole] }, NORWAY));
        expectAlike([coverPolygon(polygon, NORWAY), ...holes], [whole]);
      }),
      { numRuns: 100, seed: 4 },
    );
  });
});

describe("hard polygons", () => {
  /** Rounding moves an edge by less than 1e-9 m. */
  const expectArea = (polygon: Polygon): void => {
    const coverage = coverPolygon(polygon, NORWAY);
    const rings = polygon.rings.map((ring) => projectRing(ring, NORWAY.crs));
    const area = exactArea(rings[0] ?? []);
    expect(Math.abs(weightSum(coverage) * CELL_AREA - area)).toBeLessThan(1e-9 * (area + lengthOf(rings[0] ?? [])));
    expect(coverage.cells.every(({ weight }) => weight > 0 && weight <= 1)).toBe(true);
  };

  it("that are slivers, from a kilometre to a micrometre wide and up to 100 km long", () => {
    fc.assert(
      fc.property(share, share, fc.integer({ min: -11, max: -2 }), fc.tuple(share, share), (x, y, width, [dx, dy]) => {
        const [lon, lat] = [6 + 20 * x, 59 + 10 * y];
        const end: Point = [lon + dx, lat + dy];
        expectArea({ rings: [[[lon, lat], end, [lon - 10 ** width * (dy + 0.1), lat + 10 ** width * (dx + 0.1)], [lon, lat]]] });
      }),
      { numRuns: 200, seed: 6 },
    );
  });

  it("that have 10,000 vertices, many of them in one cell", () => {
    for (const radius of [0.15, 0.002]) {
      const points = Array.from({ length: 9_999 }, (_, index): Point => {
        const angle = (2 * Math.PI * index) / 9_999;
        const reach = radius * (index % 2 ? 1 : 0.5);
        return [10.75 + 2 * reach * Math.cos(angle), 59.91 + reach * Math.sin(angle)];
      });
      expectArea({ rings: [[...points, ...points.slice(0, 1)]] });
    }
  });
});

function weightSum({ cells }: Coverage): number {
  return cells.reduce((sum, { weight }) => sum + weight, 0);
}

/** Expects the sums of both lists of coverages to be equal in each cell, within 1e-9. */
function expectAlike(some: readonly Coverage[], others: readonly Coverage[]): void {
  const sums = new Map<number, number>();
  for (const { cellId, weight } of some.flatMap(({ cells }) => cells)) sums.set(cellId, (sums.get(cellId) ?? 0) + weight);
  for (const { cellId, weight } of others.flatMap(({ cells }) => cells)) sums.set(cellId, (sums.get(cellId) ?? 0) - weight);
  expect(sums.size).toBeGreaterThan(0);
  for (const [cell, difference] of sums) expect(Math.abs(difference), `cell ${cell}`).toBeLessThan(1e-9);
}

/** The area of a ring in integer arithmetic. Fractions of positions below 2^-40 metres are ignored. */
function exactArea(ring: readonly Position[]): number {
  const whole = (metres: number): bigint => BigInt(Math.floor(metres * 2 ** 40));
  let twice = 0n;
  let before = ring.at(-1);
  for (const point of ring) {
    if (before) twice += whole(before.easting) * whole(point.northing) - whole(point.easting) * whole(before.northing);
    before = point;
  }
  return Math.abs(Number(twice)) / 2 ** 81;
}

function lengthOf(ring: readonly Position[]): number {
  return ring.reduce((sum, { easting, northing }, index) => {
    const before = ring[index - 1];
    return before ? sum + Math.hypot(easting - before.easting, northing - before.northing) : sum;
  }, 0);
}
