import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { coverCountries } from "../countries/coverage-by-country.ts";
import { parsePolygon } from "../geometry/wkt.ts";
import { parseCountryTable } from "../products/countries.ts";
import { cellsRows, monitoredRow } from "./monitored-rows.ts";

const COUNTRIES = parseCountryTable(
  "countries.json",
  JSON.parse(readFileSync(new URL("../../infra/countries.json", import.meta.url), "utf8")),
);
const { EST, LAT } = COUNTRIES;
const ESTONIA = EST ? { EST } : {};
const AT = new Date("2026-01-15T12:00:00Z");
const GEOMETRY = { uid: "acme", geometryHash: "ab" };
const map = {
  ...{ id: "m", uid: "acme", name: "A map", version: 3, isMonitored: true },
  ...{ type: "custom_polygon" as const, geometry: null, ids: null, countryCode: null },
};
const ROW = {
  ...{ map_id: "m", uid: "acme", name: "A map", version: 3, is_monitored: true, appended_at: AT.toISOString() },
  ...{ country_code: null, geo_type: null, geo_ids: [], geometry_hash: null, cell_parts: null },
};

function rowsIn(table: typeof COUNTRIES, west: number, south: number, east: number, north: number) {
  const parsed = parsePolygon(`POLYGON((${west} ${south}, ${east} ${south}, ${east} ${north}, ${west} ${north}, ${west} ${south}))`);
  if (!parsed.ok) throw new Error(parsed.detail);
  return cellsRows(GEOMETRY, coverCountries(parsed.polygon, table), AT);
}

describe("the row of a map", () => {
  it("that is not monitored has neither geographies nor cells", () => {
    const standard = { ...map, type: "admin_level_2" as const, ids: [784], countryCode: "EST" };
    for (const one of [map, standard])
      expect(monitoredRow({ ...one, isMonitored: false }, ESTONIA, undefined, AT)).toEqual({ ...ROW, is_monitored: false });
  });

  it("of a polygon names its cells", () => {
    expect(monitoredRow({ ...map, geometry: "POLYGON(…)" }, ESTONIA, { geometryHash: "ab", parts: 2 }, AT)).toEqual({
      ...ROW,
      ...{ geometry_hash: "ab", cell_parts: 2 },
    });
  });

  it("of standard geographies has no duplicate ids", () => {
    const standard = { ...map, type: "admin_level_2" as const, ids: [784, 198, 784], countryCode: "EST" };
    expect(monitoredRow(standard, ESTONIA, undefined, AT)).toEqual({
      ...ROW,
      ...{ country_code: "EST", geo_type: "admin_level_2", geo_ids: [784, 198] },
    });
  });

  it("of standard geographies in a country that the customer no longer has is without geographies", () => {
    const standard = { ...map, type: "admin_level_2" as const, ids: [301], countryCode: "NOR" };
    expect(monitoredRow(standard, ESTONIA, undefined, AT)).toEqual(ROW);
  });
});

describe("the rows of a polygon's cells", () => {
  it("have 20,000 cells each, without duplicates, and each says how many there are", () => {
    const rows = rowsIn(ESTONIA, 25, 58.5, 26, 59);
    expect(rows.map(({ part, parts }) => [part, parts])).toEqual([
      [0, 3],
      [1, 3],
      [2, 3],
    ]);
    expect(rows.slice(0, -1).every(({ cells }) => cells.length === 20_000)).toBe(true);
    const ids = rows.flatMap(({ cells }) => cells.map(({ cell_id }) => cell_id));
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeGreaterThan(50_000);
  });

  it("are split by country across a border", () => {
    const rows = rowsIn(EST && LAT ? { EST, LAT } : {}, 25.2, 57.8, 25.4, 57.95);
    expect(rows.map(({ country_code, part }) => [country_code, part])).toEqual([
      ["EST", 0],
      ["LAT", 1],
    ]);
  });

  it("are none outside all countries", () => {
    expect(rowsIn(ESTONIA, 2.3, 48.8, 2.4, 48.9)).toEqual([]);
  });
});
