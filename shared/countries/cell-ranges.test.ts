import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { cellAt } from "../geometry/grid.ts";
import { project } from "../geometry/projection.ts";
import { parseCountryTable } from "../products/countries.ts";
import { cellRanges } from "./cell-ranges.ts";

const FILE = new URL("../../infra/countries.json", import.meta.url);
const COUNTRIES = parseCountryTable("infra/countries.json", JSON.parse(readFileSync(FILE, "utf8")));

const STEPS = 20;

it.each(["EST", "LAT", "LTU", "NOR"])(
  "every cell of the extents of %s is in a range, and those of other continents are in none",
  (code) => {
    const grid = COUNTRIES[code]?.grid;
    if (!grid) throw new Error(`${code} has no grid`);
    const ranges = cellRanges(grid);
    const isIn = (id: number): boolean => {
      const [easting, northing] = [Math.floor(id / 1e7), id % 1e7];
      return ranges.some(({ west, east, south, north }) => easting >= west && easting <= east && northing >= south && northing <= north);
    };
    for (const extent of grid.extents) {
      const [west, south, east, north] = extent;
      for (let column = 0; column <= STEPS; column++)
        for (let row = 0; row <= STEPS; row++) {
          const position = project(grid.crs, [west + ((east - west) * column) / STEPS, south + ((north - south) * row) / STEPS]);
          expect(isIn(cellAt({ ...grid, extent }, position, 250))).toBe(true);
        }
    }
    for (const id of [1, 250, 10_000_000, 90_000_003_000_000]) expect(isIn(id)).toBe(false);
  },
);
