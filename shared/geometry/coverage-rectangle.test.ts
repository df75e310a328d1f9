import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { coverPolygon, coverProjected } from "./coverage.ts";
import type { Position } from "./crs.ts";
import { CELL_METRES, type Grid } from "./grid.ts";

const CELL_AREA = CELL_METRES ** 2;
const NORWAY: Grid = { crs: "EPSG:25833", eastingOffset: 2_000_000, extent: [4, 57.8, 31.4, 71.4] };

describe("a rectangle", () => {
  const rectangle = (west: number, south: number, east: number, north: number): Position[] =>
    [
      [west, south],
      [east, south],
      [east, north],
      [west, north],
      [west, south],
    ].map(([easting = 0, northing = 0]) => ({ easting, northing }));

  it("aligned with cells has weights of exactly 1 and no other cells", () => {
    const whole = fc.integer({ min: -4000, max: 30_000 }).map((cells) => cells * CELL_METRES);
    const size = fc.integer({ min: 1, max: 12 });
    fc.assert(
      fc.property(whole, whole, size, size, (easting, northing, columns, rows) => {
        const ring = rectangle(easting, northing, easting + columns * CELL_METRES, northing + rows * CELL_METRES);
        const corners = Array.from({ length: columns * rows }, (_, index) => ({
          corner: { easting: easting + (index % columns) * CELL_METRES, northing: northing + Math.floor(index / columns) * CELL_METRES },
          weight: 1,
        }));
        expect(coverProjected([ring])).toEqual({ cells: corners, areaSquareMetres: columns * rows * CELL_AREA });
      }),
      { numRuns: 200, seed: 5 },
    );
  });

  it("with a hole aligned with cells lacks exactly those cells", () => {
    const { cells } = coverProjected([rectangle(0, 0, 1000, 1000), rectangle(250, 250, 750, 500)]);
    expect(cells).toHaveLength(14);
    expect(cells.every(({ weight }) => weight === 1)).toBe(true);
  });

  it("with a spiral hole of a thousand turns in two cells has weights of exactly 1 around it", () => {
    const arm = (wider: number): Position[] =>
      Array.from({ length: 4_000 }, (_, quarter) => {
        const [angle, radius] = [(quarter * Math.PI) / 2 + 0.3, 0.02 * quarter + wider];
        return { easting: 250 + radius * Math.cos(angle), northing: 375 + radius * Math.sin(angle) };
      });
    const spiral = [...arm(1), ...arm(1.03).reverse()];
    const { cells } = coverProjected([rectangle(0, 0, 750, 750), [...spiral, ...spiral.slice(0, 1)]]);
    expect(cells).toHaveLength(9);
    expect(cells.filter(({ weight }) => weight === 1)).toHaveLength(7);
  });

  it("not aligned with cells has the share of its height and width in every cell", () => {
    const { cells } = coverProjected([rectangle(125, 50, 625, 300)]);
    expect(cells.map(({ corner, weight }) => [corner.easting, corner.northing, weight])).toEqual([
      [0, 0, 0.4],
      [250, 0, 0.8],
      [500, 0, 0.4],
      [0, 250, 0.1],
      [250, 250, 0.2],
      [500, 250, 0.1],
    ]);
  });

  it("that shares a border with another shares no area with it", () => {
    const parts = [rectangle(10, 20, 333.3, 777.7), rectangle(333.3, 20, 900, 777.7)].map((ring) => coverProjected([ring]));
    const whole = coverProjected([rectangle(10, 20, 900, 777.7)]);
    const total = (coverages: typeof parts): number => coverages.flatMap(({ cells }) => cells).reduce((sum, { weight }) => sum + weight, 0);
    expect(total(parts)).toBeCloseTo(total([whole]), 12);
  });

  it("without rings, or outside the extent of the grid, covers nothing", () => {
    expect(coverProjected([])).toEqual({ cells: [], areaSquareMetres: 0 });
    expect(
      coverPolygon(
        {
          rings: [
            [
              [0, 0],
              [1, 0],
              [1, 1],
              [0, 0],
            ],
          ],
        },
        NORWAY,
      ),
    ).toEqual({ cells: [], areaSquareMetres: 0 });
  });
});
