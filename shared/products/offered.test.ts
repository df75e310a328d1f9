import { describe, expect, it } from "vitest";
import builtIn from "../../infra/countries.json" with { type: "json" };
import { type CountryRules, resolveCountry } from "../countries/country-rules.ts";
import { parseCountryTable } from "./countries.ts";
import { unsupportedActivities, unsupportedOdm } from "./offered.ts";

const table = parseCountryTable("infra/countries.json", builtIn);

function rules(code: string): CountryRules {
  const found = table[code];
  if (!found) throw new Error(`${code} has no rules`);
  return found;
}

describe("a country's code", () => {
  it.each([
    ["NOR", "NOR"],
    ["nor", "NOR"],
    ["No", "NOR"],
    ["ee", "EST"],
    ["LV", "LAT"],
    ["LT", "LTU"],
  ])("%s is %s", (code, resolved) => {
    expect(resolveCountry(table, code)).toBe(resolved);
  });

  it.each(["XXX", "", "constructor", "__proto__", "toString"])("%j is none", (code) => {
    expect(resolveCountry(table, code)).toBeUndefined();
  });
});

describe("a matrix", () => {
  it("in Estonia is of grid_1000m on both sides only, and each wrong side is named", () => {
    expect(unsupportedOdm("EST", rules("EST"), "grid_1000m", "grid_1000m")).toEqual([]);
    expect(unsupportedOdm("EST", rules("EST"), "grid_250m", "admin_level_4")).toMatchObject([
      { pointer: "/origin_geo_type", allowed: ["grid_1000m"] },
      { pointer: "/destination_geo_type", allowed: ["grid_1000m"] },
    ]);
  });

  it("over osm_links is Norway's only", () => {
    const countries = Object.keys(table).filter((code) => unsupportedOdm(code, rules(code), "osm_links", "osm_links").length === 0);
    expect(countries).toEqual(["NOR"]);
  });

  it("mixes levels only where the country does", () => {
    expect(unsupportedOdm("NOR", rules("NOR"), "admin_level_2", "admin_level_4")).toEqual([]);
    const separate = {
      ...rules("NOR"),
      odm: { geoTypes: ["admin_level_2", "admin_level_4"], mixed: false, distance: "none", speed: false },
    } as const;
    expect(unsupportedOdm("NOR", separate, "admin_level_2", "admin_level_4")).toMatchObject([
      { pointer: "/destination_geo_type", allowed: ["admin_level_2"] },
    ]);
  });
});

describe("Activities", () => {
  it("name the types that a country has", () => {
    expect(unsupportedActivities("EST", rules("EST"), "grid_250m")).toMatchObject([
      { pointer: "/geo_type", allowed: rules("EST").activities?.geoTypes },
    ]);
  });

  it("that a country does not offer name the products that it does", () => {
    expect(unsupportedActivities("XYZ", { ...rules("NOR"), activities: undefined }, "grid_250m")).toMatchObject([
      { pointer: "/agg_type", allowed: ["odm", "flow"] },
    ]);
  });
});

describe("a table of country rules", () => {
  it.each([
    [{ usa: { name: "x", time_zone: "UTC" } }, "alpha-3"],
    [{ USA: { name: "x", time_zone: "Mars/Base" } }, "IANA time zone"],
    [{ USA: { name: "x", time_zone: "UTC", odm: { geo_types: ["county"] } } }, "USA.odm.geo_types.0"],
    [{ USA: { name: "x", time_zone: "UTC", colour: "red" } }, "USA.colour"],
  ])("with a fault is refused with its place: %j", (json, place) => {
    expect(() => parseCountryTable("my.json", json)).toThrow(place);
  });
});
