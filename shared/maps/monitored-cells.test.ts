import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { coverCountries, coverCountriesInSlices } from "../countries/coverage-by-country.ts";
import { cellsAtMost } from "../geometry/cells-at-most.ts";
import type { Polygon } from "../geometry/polygon.ts";
import { resultOf } from "../geometry/slices.ts";
import { acceptedPolygonInSlices, parsePolygon } from "../geometry/wkt.ts";
import { parseCountryTable } from "../products/countries.ts";
import { countCells, coverMonitored, TooManyCells } from "./monitored-cells.ts";

const COUNTRIES = parseCountryTable(
  "countries.json",
  JSON.parse(readFileSync(new URL("../../infra/countries.json", import.meta.url), "utf8")),
);
const { EST } = COUNTRIES;
const ESTONIA = EST ? { EST } : {};

const box = (west: number, south: number, east: number, north: number): string =>
  `POLYGON((${west} ${south}, ${east} ${south}, ${east} ${north}, ${west} ${north}, ${west} ${south}))`;
/** Teeth of a comb, each so many degrees high. */
const comb = (teeth: number, width: number, height: number): string => {
  const points = Array.from({ length: teeth }, (_, n) => 24 + (n * width) / teeth).map(
    (x) => `${x} 57.91, ${x + (0.04 * width) / teeth} ${57.91 + height}, ${x + (0.08 * width) / teeth} 57.91`,
  );
  return `POLYGON((24 57.9, ${points.join(", ")}, ${24 + width} 57.9, 24 57.9))`;
};
const acceptedPolygon = (wkt: string): Polygon => resultOf(acceptedPolygonInSlices(wkt));
const SHAPES = [box(25, 58.5, 26, 59), box(25, 58.5, 25.0001, 58.5001), comb(40, 0.5, 0.3), comb(3000, 0.01, 0.05)];

describe("the most cells that a polygon can touch", () => {
  it.each(SHAPES)("are no fewer than it touches: %.30s…", (wkt) => {
    const parsed = parsePolygon(wkt);
    if (!parsed.ok) throw new Error(parsed.detail);
    const [found] = coverCountries(parsed.polygon, ESTONIA);
    expect(cellsAtMost(parsed.polygon)).toBeGreaterThanOrEqual(found?.cells.length ?? Number.NaN);
  });

  it("are not many more: for a box, fewer than one in ten; for a crowded border, those of its bounding box", () => {
    const cellsOf = (wkt: string): number => coverCountries(acceptedPolygon(wkt), ESTONIA)[0]?.cells.length ?? Number.NaN;
    const [large = "", , , crowded = ""] = SHAPES;
    expect(cellsAtMost(acceptedPolygon(large))).toBeLessThan(1.1 * cellsOf(large));
    expect(cellsAtMost(acceptedPolygon(crowded))).toBeLessThan(500);
  });
});

describe("a polygon that is to be monitored", () => {
  it("with too many cells is refused before they are computed, and told what to do", async () => {
    // Computing would fail without a country table.
    const attempt = coverMonitored(acceptedPolygon(comb(600, 2.64, 1.69)), new Proxy({}, { ownKeys: () => expect.unreachable() }));
    await expect(attempt).rejects.toThrow(TooManyCells);
    await expect(attempt).rejects.toThrow(/touch up to [\d,]+ cells of 250 m, at most 200,000 can be monitored: simplify its border/);
  });

  it("counts the cells that it touches; a standard map, each geography once", async () => {
    const geometry = box(25, 58.5, 26, 59);
    expect(await countCells({ geometry, ids: null, countryCode: null }, ESTONIA)).toEqual({
      cells: coverCountries(acceptedPolygon(geometry), ESTONIA)[0]?.cells.length,
      countries: ["EST"],
    });
    expect(await countCells({ geometry: null, ids: [784, 198, 784], countryCode: "EST" }, ESTONIA)).toEqual({
      cells: 2,
      countries: ["EST"],
    });
  });
});

describe("a coverage in slices", () => {
  /** How often it pauses. */
  const pausesOf = (wkt: string): number => {
    const polygon = acceptedPolygon(wkt);
    const slices = coverCountriesInSlices(polygon, ESTONIA);
    for (let pauses = 0; ; pauses++) {
      const { done, value } = slices.next();
      if (!done) continue;
      expect(value).toEqual(coverCountries(polygon, ESTONIA));
      return pauses;
    }
  };

  it("pauses for every 10,000 cells or crossings of their sides, and not for less", () => {
    expect(pausesOf(box(25, 58.5, 25.1, 58.55))).toBe(0);
    const cells = coverCountries(acceptedPolygon(box(25, 58.5, 26, 59)), ESTONIA)[0]?.cells.length ?? 0;
    expect(cells).toBeGreaterThan(50_000);
    expect(pausesOf(box(25, 58.5, 26, 59))).toBeGreaterThanOrEqual(Math.floor(cells / 10_000));
  });

  it("also for a few cells that a long border crosses very often", () => {
    const crowded = comb(3000, 0.01, 0.5);
    const crossings = (2 * 3000 * 0.5 * 111_000) / 250;
    expect(pausesOf(crowded)).toBeGreaterThanOrEqual(Math.floor(crossings / 10_000));
  });
});
