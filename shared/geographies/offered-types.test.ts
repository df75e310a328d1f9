import { describe, expect, it } from "vitest";
import builtIn from "../../infra/countries.json" with { type: "json" };
import { parseCountryTable } from "../products/countries.ts";
import { offeredGeoTypes, requireOffered } from "./offered-types.ts";

const BUILT_IN = parseCountryTable("infra/countries.json", builtIn);
const OTHERS = parseCountryTable("other.json", {
  AAA: { name: "Links only in odm", time_zone: "UTC", odm: { geo_types: ["osm_links", "admin_level_2"] } },
  BBB: { name: "Flow only", time_zone: "UTC", flow: {} },
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
    ["EST", "must be one of grid_250m, grid_1000m, admin_level_2, admin_level_4 in EST", 4],
    ["BBB", "is not offered: BBB has no geographies", 0],
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
