import { describe, expect, it } from "vitest";
import { PRODUCTS } from "./catalogue.ts";
import { parseCountryTable } from "./countries.ts";
import { LOADED_TABLES, loadedCountry } from "./loaded-tables.ts";

describe("a table of country rules", () => {
  it.each([
    [{ USA: { name: 5, time_zone: "UTC" } }, "USA.name: must be a text in double quotes, not 5"],
    [{ USA: { time_zone: "UTC" } }, "USA.name: is missing"],
    [{ USA: { name: "x", time_zone: "UTC", k: 0 } }, "USA.k: must be at least 1, not 0"],
    [{ USA: { name: "x", time_zone: "UTC", k: 1.5 } }, "USA.k: must be a whole number, not 1.5"],
    [{ USA: { name: "x", time_zone: "UTC", aliases: "US" } }, 'USA.aliases: must be a list in square brackets, not "US"'],
    [{ USA: { name: "x", time_zone: "UTC", aliases: ["u"] } }, "USA.aliases.0: must be two or three capital letters, for example EE, not"],
    [{ USA: { name: "x", time_zone: "UTC", grid: { crs: "EPSG:1" } } }, "USA.grid.crs: must be one of EPSG:3035, EPSG:25833, not"],
    [{ USA: { name: "x", time_zone: "UTC", grid: { crs: "EPSG:3035", extents: [[1, 2, 3]] } } }, "USA.grid.extents.0.3: is missing"],
    [{ USA: { name: "x", time_zone: "UTC", odm: "all" } }, 'USA.odm: must be an object in braces, not "all"'],
    [[], "my.json is not a table of country rules: it must be an object by country code"],
    [{ usa: { name: "x", time_zone: "UTC" } }, "alpha-3"],
    [{ USA: { name: "x", time_zone: "Mars/Base" } }, "IANA time zone"],
    [
      { USA: { name: "x", time_zone: "UTC", odm: { geo_types: ["county"] } } },
      'USA.odm.geo_types.0: must be one of grid_250m, grid_1000m, admin_level_2, admin_level_4, osm_links, not "county"',
    ],
    [
      { USA: { name: "x", time_zone: "UTC", odm: { geo_types: ["grid_250m"], step: 5 } } },
      "USA.odm.step: must be 1, for exact trips; leave it out for the country's step",
    ],
    [{ USA: { name: "x", time_zone: "UTC", profile: "closed" } }, "USA.profile: must be one of standard, strict, not"],
    [{ USA: { name: "x", time_zone: "UTC", protected: true, profile: "strict" } }, "USA: cannot have both protected: true"],
    [
      {
        USA: { name: "x", time_zone: "UTC", people_per_device: 4, profile: "strict", odm: { geo_types: ["grid_250m"], step: 1 } },
      },
      "USA: cannot have a product with a step of its own",
    ],
    [
      { USA: { name: "x", time_zone: "UTC", people_per_device: 4, profile: "strict", odm: { geo_types: ["osm_links", "grid_250m"] } } },
      "USA: cannot have osm_links beside other geo_types of a product with",
    ],
    [
      { USA: { name: "x", time_zone: "UTC", people_per_device: 4, odm: { geo_types: ["osm_links", "grid_250m"], step: 1 } } },
      "USA: cannot have osm_links beside other geo_types of a product with",
    ],
    [{ USA: { name: "x", time_zone: "UTC", colour: "red" } }, "USA.colour: is not a member that rules have; correct its name or remove it"],
  ])("with an error is rejected with the error's location: %j", (json, message) => {
    expect(() => parseCountryTable("my.json", json)).toThrow(message);
  });
});

it("areas nest by the finest type of the products that count in areas, whatever the types of pairs", () => {
  const rules = { name: "x", time_zone: "UTC", people_per_device: 3.4, odm: { geo_types: ["grid_250m", "admin_level_2"] } };
  const table = parseCountryTable("my.json", { AAA: { ...rules, activities: { geo_types: ["admin_level_2", "grid_1000m"] } }, BBB: rules });
  const geographies = LOADED_TABLES.find(({ name }) => name === "geographies");
  const finest = Object.entries(table).map(([code, country]) => geographies && loadedCountry(geographies, code, country)?.finestType);
  expect(finest).toEqual(["grid_1000m", "grid_250m"]);
});

it("each product's counts have the step of the country, trips have step 1 where its rule says so, and the strict profile has the steps of 2k", () => {
  const rules = { name: "x", time_zone: "UTC", people_per_device: 3.4, activities: { geo_types: ["grid_250m"] } };
  const table = parseCountryTable("my.json", {
    AAA: { ...rules, odm: { geo_types: ["grid_250m"] } },
    BBB: { ...rules, sensitive: true, odm: { geo_types: ["grid_250m"], step: 1 } },
    CCC: { ...rules, protected: true, odm: { geo_types: ["grid_250m", "osm_links"], step: 1 } },
    DDD: { ...rules, profile: "strict", odm: { geo_types: ["osm_links"] } },
  });
  const steps = Object.values(table).map((country) => PRODUCTS.map(({ name, step }) => `${name} ${step(country)}`).join(", "));
  expect(steps).toEqual([
    "activities 20, odm 20, flow 20",
    "activities 35, odm 1, flow 35",
    "activities 1, odm 1, flow 1",
    "activities 35, odm 35, flow 35",
  ]);
});
