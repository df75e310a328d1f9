import { describe, expect, it } from "vitest";
import builtIn from "../../infra/countries.json" with { type: "json" };
import { coverPolygon } from "../geometry/coverage.ts";
import { CRS_EXTENTS } from "../geometry/crs.ts";
import { geodeticArea } from "../geometry/geodetic-area.ts";
import { cellCorner, type Grid } from "../geometry/grid.ts";
import type { Polygon } from "../geometry/polygon.ts";
import { project } from "../geometry/projection.ts";
import { resultOf } from "../geometry/slices.ts";
import { parseCountryTable } from "../products/countries.ts";
import type { CountryGrid, CountryRules } from "./country-rules.ts";
import { countCellsByCountryInSlices, coverCountries } from "./coverage-by-country.ts";

const table = parseCountryTable("infra/countries.json", builtIn);

function box(west: number, south: number, east: number, north: number): Polygon {
  return {
    rings: [
      [
        [west, south],
        [east, south],
        [east, north],
        [west, north],
        [west, south],
      ],
    ],
  };
}
const countriesOf = (polygon: Polygon): string[] => coverCountries(polygon, table).map(({ country }) => country);
const gridOf = (country: string): CountryGrid => {
  const grid = table[country]?.grid;
  if (!grid) throw new Error(`${country} has no grid`);
  return grid;
};

describe("a polygon", () => {
  it.each([
    ["Oslo", box(10.7, 59.9, 10.8, 59.95), "NOR"],
    ["Kirkenes, in the far east of Norway", box(30, 69.6, 30.2, 69.8), "NOR"],
    ["Tallinn", box(24.7, 59.4, 24.8, 59.45), "EST"],
    ["Riga", box(24, 56.9, 24.2, 57), "LAT"],
    ["Vilnius", box(25.2, 54.6, 25.3, 54.7), "LTU"],
  ])("in %s is covered in that country", (_name, polygon, country) => {
    expect(countriesOf(polygon)).toContain(country);
  });

  it("in a capital is covered in no other country", () => {
    expect(countriesOf(box(24.7, 59.4, 24.8, 59.45))).toEqual(["EST"]);
    expect(countriesOf(box(24, 56.9, 24.2, 57))).toEqual(["LAT"]);
    expect(countriesOf(box(25.2, 54.6, 25.3, 54.7))).toEqual(["LTU"]);
    expect(countriesOf(box(10.7, 59.9, 10.8, 59.95))).toEqual(["NOR"]);
    expect(countriesOf(box(18, 59.3, 18.1, 59.35)), "Stockholm").toEqual([]);
    expect(countriesOf(box(24.9, 60.1, 25, 60.2)), "Helsinki").toEqual([]);
  });

  it.each([
    ["in one country", box(25, 58.5, 26, 58.8)],
    ["in two", box(24, 57.6, 25, 57.9)],
    ["across the border of two boxes", box(11.01, 63.28, 11.13, 63.317)],
    ["in none", box(18, 59.3, 18.1, 59.35)],
  ])("%s has as many cells when these are only counted", (_where, polygon) => {
    const counts = coverCountries(polygon, table).map(({ country, cells }) => ({ country, cells: cells.length }));
    expect(resultOf(countCellsByCountryInSlices(polygon, table))).toEqual(counts);
  });

  it("across the border of two boxes of a country's grid has the same coverage as in one box", () => {
    const grid = gridOf("NOR");
    const polygon = box(11.01, 63.28, 11.13, 63.317);
    const whole = coverPolygon(polygon, { ...grid, extent: [4, 57.8, 31.4, 71.4] });
    const [norway] = coverCountries(polygon, table);
    const byId = (cells: typeof whole.cells) => new Map(cells.map(({ cellId, weight }) => [cellId, weight]));
    const [expected, found] = [byId(whole.cells), byId(norway?.cells ?? [])];
    expect([...found.keys()].sort()).toEqual([...expected.keys()].sort());
    // The border cuts some sides, which are then densified at other points.
    for (const [id, weight] of found) expect(weight, String(id)).toBeCloseTo(expected.get(id) ?? Number.NaN, 5);
    expect(norway?.areaSquareMetres).toBeCloseTo(whole.areaSquareMetres, 0);
  });

  it.each([
    ["the Atlantic", box(-20, 60, -19.8, 60.2)],
    ["Berlin", box(13.3, 52.4, 13.5, 52.6)],
    ["New York", box(-74.1, 40.6, -73.9, 40.8)],
    ["the southern hemisphere, under Norway", box(10.7, -59.95, 10.8, -59.9)],
    ["the North Pole", box(10, 89.9, 12, 90)],
    ["the date line", box(179.9, 60, 180, 60.1)],
  ])("in %s has no coverage", (_name, polygon) => {
    expect(coverCountries(polygon, table)).toEqual([]);
  });

  it("that touches the border of an extent from outside has no coverage", () => {
    expect(countriesOf(box(28.3, 55.6, 28.4, 55.7))).toEqual([]);
    expect(countriesOf(box(28.29, 55.6, 28.4, 55.7))).toEqual(["LAT"]);
  });
});

describe("across two countries", () => {
  it("a polygon of Valga and Valka is fully covered in Estonia and in Latvia, which share one grid", () => {
    const polygon = box(25.98, 57.75, 26.1, 57.79);
    const [estonia, latvia, ...others] = coverCountries(polygon, table);
    expect(others).toEqual([]);
    expect([estonia?.country, latvia?.country]).toEqual(["EST", "LAT"]);
    expect(estonia?.cells).toEqual(latvia?.cells);
    expect(estonia?.cells).toEqual(coverPolygon(polygon, { ...gridOf("EST"), extent: [21.5, 57.4, 28.3, 59.9] }).cells);
  });

  it("a polygon across the border of two grids is split between them, with each grid's ids", () => {
    const rules = (grid: Grid): CountryRules => ({
      ...table.NOR,
      name: "",
      aliases: [],
      windowDaysMax: 400,
      timeZone: "UTC",
      k: 5,
      peopleOfDevice: 4,
      isProtected: false,
      isStrict: false,
      grid: { ...grid, extents: [grid.extent] },
      offers: {},
    });
    const west = { crs: "EPSG:25833", eastingOffset: 2_000_000, extent: [20, 59, 21, 60] } as const;
    const east = { crs: "EPSG:3035", eastingOffset: 0, extent: [21, 59, 22, 60] } as const;
    const polygon: Polygon = {
      rings: [
        [
          [20.8, 59.5],
          [21.1, 59.4],
          [21.2, 59.6],
          [20.8, 59.5],
        ],
        [
          [20.95, 59.5],
          [21.05, 59.48],
          [21.05, 59.52],
          [20.95, 59.5],
        ],
      ],
    };
    const covered = coverCountries(polygon, { WWW: rules(west), NIL: { ...rules(west), grid: undefined }, EEE: rules(east) });
    expect(covered.map(({ country }) => country)).toEqual(["WWW", "EEE"]);
    const [inWest, inEast] = covered;
    // EPSG:3035 preserves areas. EPSG:25833 scales them by 0.9996² to 1.0013² here.
    const whole = geodeticArea(polygon);
    expect(((inWest?.areaSquareMetres ?? 0) + (inEast?.areaSquareMetres ?? 0)) / whole).toBeCloseTo(1, 2);
    const border = { west: project(west.crs, [21, 59.5]).easting, east: project(east.crs, [21, 59.5]).easting };
    // The border of the grids is not straight in the projections. Within the polygon it stays within 5 km of its middle.
    for (const { cellId } of inWest?.cells ?? []) expect(cellCorner(west, cellId).easting).toBeLessThan(border.west + 5_000);
    for (const { cellId } of inEast?.cells ?? []) expect(cellCorner(east, cellId).easting).toBeGreaterThan(border.east - 5_000);
  });
});

describe("the extents of the countries", () => {
  it("lie within the extents of their projections", () => {
    for (const country of Object.keys(table)) {
      const { crs, extents } = gridOf(country);
      const [west, south, east, north] = CRS_EXTENTS[crs];
      for (const extent of extents)
        expect(extent[0] >= west && extent[1] >= south && extent[2] <= east && extent[3] <= north, country).toBe(true);
    }
  });

  /** The outermost points of the mainlands and islands, from the countries' mapping authorities. */
  it.each([
    [
      "NOR",
      [
        [4.49, 61.07],
        [31.17, 70.39],
        [7.05, 57.97],
        [25.7, 71.18],
        [12.86, 61.36],
        [14.32, 64.12],
        [16.2, 66.65],
      ],
    ],
    [
      "EST",
      [
        [21.77, 58.37],
        [28.21, 59.38],
        [26.03, 57.51],
        [25.65, 59.82],
      ],
    ],
    [
      "LAT",
      [
        [20.97, 56.51],
        [28.24, 56.15],
        [26.6, 55.68],
        [25.3, 58.08],
      ],
    ],
    [
      "LTU",
      [
        [20.96, 55.28],
        [26.83, 55.28],
        [24.36, 53.9],
        [24.9, 56.45],
      ],
    ],
  ] as const)("of %s contain its outermost points", (country, points) => {
    for (const [lon, lat] of points) {
      expect(countriesOf(box(lon, lat, lon + 0.001, lat + 0.001)), `${lon} ${lat}`).toContain(country);
    }
  });
});
