import { describe, expect, it } from "vitest";
import { rowsOf } from "../google/statement.ts";
import { findGeographiesStatement, type GeographyFilters } from "./find.ts";

const PLAIN: GeographyFilters = { country: "EST", geoType: "admin_level_2" };
const ALL: GeographyFilters = { ...PLAIN, bbox: [24.5, -59.25, 1e-7, 60], name: "%'; DROP", ids: [784, 9_007_199_254_740_991] };

describe("the statement that finds geographies", () => {
  it.each([
    ["no filter", PLAIN, undefined],
    ["an id to start after", PLAIN, 7],
    ["every filter", ALL, 7],
  ])("with %s uses exactly the parameters that it passes", (_what, filters, after) => {
    const { sql, parameters } = findGeographiesStatement(filters, after, 101);
    expect([...new Set(sql.match(/(?<=@)\w+/g))].sort()).toEqual(Object.keys(parameters).sort());
  });

  it("filters the clustering columns by constants, with any other filters", () => {
    for (const filters of [PLAIN, ALL]) {
      const { sql, parameters } = findGeographiesStatement(filters, undefined, 101);
      expect(sql).toContain("WHERE country_code = @country_code AND geo_type = @geo_type");
      expect(sql).toMatch(/ORDER BY geo_id\n +LIMIT @rows_max\n/);
      expect(parameters).toMatchObject({ country_code: { value: "EST" }, geo_type: { value: "admin_level_2" }, rows_max: { value: 101 } });
    }
  });

  it("passes all values as parameters, and each side of a box exactly", () => {
    const { sql, parameters } = findGeographiesStatement(ALL, 12345, 101);
    expect(sql).not.toMatch(/DROP|12345|784|24\.5|\bEST\b|101/);
    expect(["west", "south", "east", "north"].map((side) => parameters[side])).toEqual(
      ALL.bbox?.map((value) => ({ type: "FLOAT64", value })),
    );
  });
});

describe("a found row", () => {
  const find = findGeographiesStatement(PLAIN, undefined, 101);
  const row = { geo_id: 784, geo_name: "Tallinn", lon: 24.7, lat: 59.4, geometry: null };

  it("can lack a geometry", () => {
    expect(rowsOf(find, [row])).toEqual([row]);
  });

  it.each([
    { ...row, geo_id: "784" },
    { ...row, geo_name: null },
    { ...row, lat: undefined },
    { ...row, geometry: 1 },
  ])("is rejected if it is not a geography: %j", (faulty) => {
    expect(() => rowsOf(find, [faulty])).toThrow();
  });
});
