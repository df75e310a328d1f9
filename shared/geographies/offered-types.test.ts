import { describe, expect, it } from "vitest";
import builtIn from "../../infra/countries.json" with { type: "json" };
import { parseCountryTable } from "../products/countries.ts";
import { hasRoadsOnly, offeredGeoTypes, requireOffered } from "./offered-types.ts";

const BUILT_IN = parseCountryTable("infra/countries.json", builtIn);
const OTHERS = parseCountryTable("other.json", {
  AAA: { name: "Links only in odm", people_per_device: 4, time_zone: "UTC", odm: { geo_types: ["osm_links", "admin_level_2"] } },
  BBB: { name: "Flow only", people_per_device: 4, time_zone: "UTC", flow: {} },
  CCC: { name: "No roads", people_per_device: 4, time_zone: "UTC", activities: { geo_types: ["admin_level_2"] } },
  DDD: { name: "Nothing", people_per_device: 4, time_zone: "UTC" },
});

describe("the geography types of a country", () => {
  it.each([
    ["EST", ["grid_250m", "grid_1000m", "admin_level_2", "admin_level_4"]],
    ["NOR", ["grid_250m", "grid_1000m", "admin_level_2", "admin_level_4", "osm_links"]],
    ["AAA", ["admin_level_2", "osm_links"]],
    ["BBB", []],
  ])("%s are those of its products and maps", (code, types) => {
    const rules = { ...BUILT_IN, ...OTHERS }[code];
    expect(rules && offeredGeoTypes(rules)).toEqual(types);
  });

  it.each([
    ["CCC", "must be one of admin_level_2 in CCC", 1],
    ["DDD", "is not offered: DDD has no geographies", 0],
  ])("%s are listed when a request has another type", (code, detail, count) => {
    const rules = { ...BUILT_IN, ...OTHERS }[code];
    expect(() => rules && requireOffered(code, rules, "osm_links", undefined)).toThrow(
      expect.objectContaining({
        code: "unsupported_combination",
        errors: [{ pointer: "/geo_type", detail, allowed: expect.objectContaining({ length: count }) }],
      }),
    );
  });
});

describe("road links of a country", () => {
  it.each([
    ["EST", true],
    ["BBB", true],
    ["NOR", false],
    ["AAA", false],
    ["CCC", false],
  ])("%s are found by a box only: %s", (code, only) => {
    const rules = { ...BUILT_IN, ...OTHERS }[code];
    expect(rules && hasRoadsOnly(rules, "osm_links")).toBe(only);
  });

  it("with Flow need a box if no product counts by them", () => {
    const { EST } = BUILT_IN;
    expect(() => EST && requireOffered("EST", EST, "osm_links", [24, 59, 25, 60])).not.toThrow();
    expect(() => EST && requireOffered("EST", EST, "osm_links", undefined)).toThrow(
      expect.objectContaining({ code: "invalid_argument", errors: [expect.objectContaining({ pointer: "/bbox" })] }),
    );
  });
});
