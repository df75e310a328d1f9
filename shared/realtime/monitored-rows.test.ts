import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parseCountryTable } from "../products/countries.ts";
import { monitoredRows, TooManyCells } from "./monitored-rows.ts";

const COUNTRIES = parseCountryTable(
  "countries.json",
  JSON.parse(readFileSync(new URL("../../infra/countries.json", import.meta.url), "utf8")),
);
const { EST, LAT } = COUNTRIES;
const ESTONIA = EST ? { EST } : {};
const AT = new Date("2026-01-15T12:00:00Z");
const map = {
  id: "m",
  uid: "acme",
  name: "A map",
  version: 3,
  isMonitored: true,
  type: "custom_polygon",
  geometry: null,
  ids: null,
  countryCode: null,
} as const;

function rectangle(west: number, south: number, east: number, north: number): string {
  return `POLYGON((${west} ${south}, ${east} ${south}, ${east} ${north}, ${west} ${north}, ${west} ${south}))`;
}

describe("the rows of a map", () => {
  it("that is not monitored are one row without geographies and cells", () => {
    const geometry = rectangle(24.7, 59.4, 24.8, 59.45);
    expect(monitoredRows({ ...map, geometry, isMonitored: false }, ESTONIA, AT)).toEqual([
      {
        ...{ map_id: "m", uid: "acme", name: "A map", version: 3, part: 0, is_monitored: false },
        ...{ country_code: null, geo_type: null, geo_ids: [], cells: [], appended_at: AT.toISOString() },
      },
    ]);
  });

  it("of standard geographies are one row without duplicate ids", () => {
    const standard = { ...map, type: "admin_level_2" as const, ids: [784, 198, 784], countryCode: "EST" };
    expect(monitoredRows(standard, ESTONIA, AT)).toMatchObject([
      { country_code: "EST", geo_type: "admin_level_2", geo_ids: [784, 198], cells: [] },
    ]);
  });

  it("of standard geographies in a country that the customer no longer has are one row without geographies", () => {
    const standard = { ...map, type: "admin_level_2" as const, ids: [301], countryCode: "NOR" };
    expect(monitoredRows(standard, ESTONIA, AT)).toMatchObject([{ is_monitored: true, country_code: null, geo_ids: [], cells: [] }]);
  });

  it("of a large polygon have 20,000 cells each, without duplicates", () => {
    const rows = monitoredRows({ ...map, geometry: rectangle(25, 58.5, 26, 59) }, ESTONIA, AT);
    expect(rows.map(({ part }) => part)).toEqual([0, 1, 2]);
    expect(rows.slice(0, -1).every(({ cells }) => cells.length === 20_000)).toBe(true);
    const ids = rows.flatMap(({ cells }) => cells.map(({ cell_id }) => cell_id));
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeGreaterThan(50_000);
  });

  it("of a polygon across a border are split by country", () => {
    const table = EST && LAT ? { EST, LAT } : {};
    const rows = monitoredRows({ ...map, geometry: rectangle(25.2, 57.8, 25.4, 57.95) }, table, AT);
    expect(rows.map(({ country_code, part }) => [country_code, part])).toEqual([
      ["EST", 0],
      ["LAT", 1],
    ]);
  });

  it("of a polygon outside all countries are one row without a country", () => {
    expect(monitoredRows({ ...map, geometry: rectangle(2.3, 48.8, 2.4, 48.9) }, ESTONIA, AT)).toMatchObject([
      { country_code: null, cells: [] },
    ]);
  });

  it("of a polygon with too many border cells throw an error that says what to do", () => {
    const teeth = Array.from({ length: 600 }, (_, n) => 24 + n * 0.0044).map((x) => `${x} 57.91, ${x + 0.0002} 59.6, ${x + 0.0004} 57.91`);
    const geometry = `POLYGON((24 57.9, ${teeth.join(", ")}, 26.7 57.9, 24 57.9))`;
    const attempt = () => monitoredRows({ ...map, geometry }, ESTONIA, AT);
    expect(attempt).toThrow(TooManyCells);
    expect(attempt).toThrow(/touches [\d,]+ cells of 250 m, at most 200,000 can be monitored: simplify its border/);
  });
});
