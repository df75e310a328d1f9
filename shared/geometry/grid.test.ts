import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cellAt, cellCorner, cellId, type Grid, intersectsGrid } from "./grid.ts";

const NORWAY: Grid = { crs: "EPSG:25833", eastingOffset: 2_000_000, extent: [4, 57.8, 31.4, 71.4] };
const INSPIRE: Grid = { crs: "EPSG:3035", eastingOffset: 0, extent: [20.6, 55.6, 28.3, 58.2] };

describe("the id of a cell", () => {
  it("is the easting, with the country's offset, followed by the northing in seven digits", () => {
    expect(cellId(NORWAY, { easting: 264_000, northing: 6_648_500 })).toBe(22640006648500);
    expect(cellId(NORWAY, { easting: -74_500, northing: 6_450_250 })).toBe(19255006450250);
    expect(cellId(INSPIRE, { easting: 5_153_000, northing: 4_124_000 })).toBe(51530004124000);
    expect(cellId(INSPIRE, { easting: 5_153_000, northing: 250 })).toBe(51530000000250);
  });

  it("converts back to the corner of the cell and is a safe integer", () => {
    const coordinate = (least: number, most: number): fc.Arbitrary<number> =>
      fc.integer({ min: least / 250, max: most / 250 }).map((n) => n * 250);
    fc.assert(
      fc.property(
        fc.constantFrom(NORWAY, INSPIRE),
        coordinate(-1_900_000, 7_900_000),
        coordinate(0, 9_999_750),
        (grid, easting, northing) => {
          fc.pre(easting + grid.eastingOffset >= 0);
          const id = cellId(grid, { easting, northing });
          expect(Number.isSafeInteger(id)).toBe(true);
          expect(cellCorner(grid, id)).toEqual({ easting, northing });
        },
      ),
      { seed: 1 },
    );
  });
});

describe("the cell at a position", () => {
  it("has the position inside it or on its west or south side", () => {
    expect(cellAt(NORWAY, { easting: 264_000, northing: 6_648_500 }, 250)).toBe(22640006648500);
    expect(cellAt(NORWAY, { easting: 264_249.999, northing: 6_648_749.999 }, 250)).toBe(22640006648500);
    expect(cellAt(NORWAY, { easting: 264_250, northing: 6_648_500 }, 250)).toBe(22642506648500);
    expect(cellAt(NORWAY, { easting: 264_999, northing: 6_648_500 }, 1000)).toBe(22640006648000);
    expect(cellAt(NORWAY, { easting: -1, northing: 6_648_000 }, 1000)).toBe(19990006648000);
  });
});

describe("a polygon reaches a grid", () => {
  it.each([
    [[20, 55], [21, 55.7], true],
    [[27, 57], [27.1, 57.1], true],
    [[0, 0], [60, 80], true],
    [[28.3, 58.2], [29, 59], true],
    [[28.4, 57], [29, 58], false],
    [[19, 57], [20.5, 58], false],
    [[22, 58.3], [23, 59], false],
    [[22, 50], [23, 55.5], false],
  ] as const)("where the box from %j to %j meets its extent: %s", ([west, south], [east, north], expected) => {
    expect(
      intersectsGrid(
        {
          rings: [
            [
              [west, south],
              [east, south],
              [east, north],
              [west, south],
            ],
          ],
        },
        INSPIRE,
      ),
    ).toBe(expected);
  });
});
