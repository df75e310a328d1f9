import fc from "fast-check";
import { intersection } from "polyclip-ts";
import { describe, expect, it } from "vitest";
import { coverPolygon, coverProjected } from "./coverage.ts";
import type { Position } from "./crs.ts";
import { projectRing } from "./densify.ts";
import { CELL_METRES, cellId, type Grid } from "./grid.ts";
import { polygons } from "./testing/polygon-arbitrary.ts";

const NORWAY: Grid = { crs: "EPSG:25833", eastingOffset: 2_000_000, extent: [4, 57.8, 31.4, 71.4] };
const ESTONIA: Grid = { crs: "EPSG:3035", eastingOffset: 0, extent: [21.5, 57.4, 28.3, 59.9] };

type Plane = [number, number][];

describe("the weights are those of clipping each cell with polyclip-ts", () => {
  it.each([
    ["Norway", NORWAY, [5, 58.5, 30, 71]],
    ["Estonia", ESTONIA, [22, 57.6, 28, 59.7]],
  ] as const)("for random polygons with and without holes in %s", (_name, grid, box) => {
    const seen = { polygons: 0, cells: 0, withHoles: 0 };
    fc.assert(
      fc.property(polygons(box, 0.02), (polygon) => {
        const rings = polygon.rings.map((ring) => projectRing(ring, grid.crs));
        const clipped = clippedWeights(rings, grid);
        fc.pre(clipped !== undefined);
        const { cells } = coverPolygon(polygon, grid);
        const weights = new Map(cells.map(({ cellId, weight }) => [cellId, weight]));
        for (const id of new Set([...weights.keys(), ...(clipped?.keys() ?? [])])) {
          expect(Math.abs((weights.get(id) ?? 0) - (clipped?.get(id) ?? 0)), `cell ${id}`).toBeLessThan(1e-9);
        }
        seen.polygons++;
        seen.cells += cells.length;
        seen.withHoles += polygon.rings.length > 1 ? 1 : 0;
      }),
      { numRuns: 40, seed: 1 },
    );
    expect(seen.polygons).toBeGreaterThan(30);
    expect(seen.cells).toBeGreaterThan(300);
    expect(seen.withHoles).toBeGreaterThan(15);
  });

  it("for polygons with corners on borders and corners of cells, edges along borders and touching holes", () => {
    const corner = fc.tuple(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 0, max: 12 }));
    let compared = 0;
    fc.assert(
      fc.property(corner, corner, corner, ([ax, ay], [bx, by], [cx, cy]) => {
        fc.pre((bx - ax) * (cy - ay) !== (cx - ax) * (by - ay));
        const at = (x: number, y: number): Position => ({ easting: 500_000 + x * 125, northing: 6_500_000 + y * 125 });
        const shell = [at(-1, -1), at(13, -1), at(13, 13), at(-1, 13), at(-1, -1)];
        const rings = [shell, [at(ax, ay), at(bx, by), at(cx, cy), at(ax, ay)]];
        const clipped = clippedWeights(rings, NORWAY);
        fc.pre(clipped !== undefined);
        const ours = coverProjected(rings).cells.map(({ corner, weight }) => [cellId(NORWAY, corner), weight] as const);
        expect(new Set(ours.map(([id]) => id))).toEqual(new Set(clipped?.keys()));
        for (const [id, weight] of ours) expect(weight).toBeCloseTo(clipped?.get(id) ?? 0, 9);
        compared++;
      }),
      { numRuns: 100, seed: 2 },
    );
    expect(compared).toBeGreaterThan(60);
  });
});

/** Undefined if polyclip-ts fails, as it does on some touching corners. */
function clippedWeights(rings: readonly (readonly Position[])[], grid: Grid): Map<number, number> | undefined {
  // Metres from a cell's corner near the polygon, for the precision of the baseline.
  const start = rings[0]?.[0] ?? { easting: 0, northing: 0 };
  const cell = (metres: number): number => Math.floor(metres / CELL_METRES);
  const [easting, northing] = [cell(start.easting) * CELL_METRES, cell(start.northing) * CELL_METRES];
  const polygon = rings.map((ring): Plane => ring.map((position) => [position.easting - easting, position.northing - northing]));
  const [xs, ys] = [0, 1].map((axis) => (polygon[0] ?? []).map((point) => point[axis] ?? 0));
  const [bottom, top] = [cell(Math.min(...(ys ?? []))), cell(Math.max(...(ys ?? [])))];
  const weights = new Map<number, number>();
  for (let column = cell(Math.min(...(xs ?? []))); column <= cell(Math.max(...(xs ?? []))); column++) {
    const x = column * CELL_METRES;
    // Clipped to its column first, the polygon has few points left for each cell.
    const strip = clipped([polygon], x, bottom * CELL_METRES, (top + 1 - bottom) * CELL_METRES);
    for (let row = bottom; row <= top; row++) {
      const y = row * CELL_METRES;
      const parts = strip && clipped(strip, x, y, CELL_METRES);
      if (parts === undefined) return undefined;
      const area = areaOfParts(parts, x, y);
      if (area > 0) weights.set(cellId(grid, { easting: easting + x, northing: northing + y }), area / CELL_METRES ** 2);
    }
  }
  return weights;
}

/** Clips polygons to a rectangle, a cell wide. Undefined if polyclip-ts fails. */
function clipped(polygons: Plane[][], x: number, y: number, height: number): Plane[][] | undefined {
  const [east, north] = [x + CELL_METRES, y + height];
  try {
    return intersection(polygons, [
      [
        [x, y],
        [east, y],
        [east, north],
        [x, north],
        [x, y],
      ],
    ]);
  } catch (error) {
    if (error instanceof Error && error.message.startsWith("Unable to complete output ring")) return undefined;
    throw error;
  }
}

function areaOfParts(parts: Plane[][], x: number, y: number): number {
  return parts.reduce((sum, part) => sum + part.reduce((area, ring, index) => area + (index === 0 ? 1 : -1) * areaOf(ring, x, y), 0), 0);
}

function areaOf(ring: readonly (readonly [number, number])[], x: number, y: number): number {
  let twice = 0;
  let before = ring.at(-1);
  for (const point of ring) {
    if (before) twice += (before[0] - x) * (point[1] - y) - (point[0] - x) * (before[1] - y);
    before = point;
  }
  return Math.abs(twice) / 2;
}
