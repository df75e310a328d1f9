import * as v from "valibot";
import { describe, expect, it } from "vitest";
import builtIn from "../../infra/countries.json" with { type: "json" };
import { type CountryRules, resolveCountry } from "../countries/country-rules.ts";
import { type FieldError, ServiceError } from "../http/errors.ts";
import { AggregationBody } from "./catalogue.ts";
import { parseCountryTable } from "./countries.ts";

const table = parseCountryTable("infra/countries.json", builtIn);

function rules(code: string): CountryRules {
  const found = table[code];
  if (!found) throw new Error(`${code} has no rules`);
  return found;
}

/** Returns the errors for what a country does not offer of a body. */
function unsupported(body: object, code: string, country = rules(code)): readonly FieldError[] {
  const window = { start_time: "2026-11-01", end_time: "2026-11-02" };
  const incoming = v.parse(AggregationBody, { ...window, ...body });
  try {
    incoming.accept(code, country, new Date("2026-11-20T00:00:00Z"));
    return [];
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    expect(error.code).toBe("unsupported_combination");
    return error.errors;
  }
}

function unsupportedOdm(code: string, origin: string, destination: string, country = rules(code)): readonly FieldError[] {
  const body = { agg_type: "odm", measure: "trips", origin_geo_type: origin, destination_geo_type: destination };
  return unsupported(body, code, country);
}

function unsupportedActivities(code: string, geo_type: string, country = rules(code)): readonly FieldError[] {
  return unsupported({ agg_type: "activities", measure: "stays_count", activity_type: "daily", geo_type }, code, country);
}

describe("a country's code", () => {
  it.each([
    ["NOR", "NOR"],
    ["nor", "NOR"],
    ["No", "NOR"],
    ["ee", "EST"],
    ["LV", "LAT"],
    ["LT", "LTU"],
  ])("%s resolves to %s", (code, resolved) => {
    expect(resolveCountry(table, code)).toBe(resolved);
  });

  it.each(["XXX", "", "constructor", "__proto__", "toString"])("%j is unknown", (code) => {
    expect(resolveCountry(table, code)).toBeUndefined();
  });
});

describe("a matrix", () => {
  it("in Estonia needs grid_1000m on both sides, and each wrong side is reported", () => {
    expect(unsupportedOdm("EST", "grid_1000m", "grid_1000m")).toEqual([]);
    expect(unsupportedOdm("EST", "grid_250m", "admin_level_4")).toMatchObject([
      { pointer: "/origin_geo_type", allowed: ["grid_1000m"] },
      { pointer: "/destination_geo_type", allowed: ["grid_1000m"] },
    ]);
  });

  it("over osm_links is offered only in Norway", () => {
    const countries = Object.keys(table).filter((code) => unsupportedOdm(code, "osm_links", "osm_links").length === 0);
    expect(countries).toEqual(["NOR"]);
  });

  it("mixes levels only if the country allows it", () => {
    expect(unsupportedOdm("NOR", "admin_level_2", "admin_level_4")).toEqual([]);
    const { offers, ...norway } = rules("NOR");
    const separate = { ...norway, offers: { ...offers, odm: { geo_types: ["admin_level_2", "admin_level_4"], mixed: false } } };
    expect(unsupportedOdm("NOR", "admin_level_2", "admin_level_4", separate)).toMatchObject([
      { pointer: "/destination_geo_type", allowed: ["admin_level_2"] },
    ]);
  });
});

describe("Activities", () => {
  it("report the types that a country offers", () => {
    expect(unsupportedActivities("EST", "grid_250m")).toMatchObject([{ pointer: "/geo_type", allowed: builtIn.EST.activities.geo_types }]);
  });

  it("have hours of all types, and in the strict profile of all but the finest", () => {
    const strict = { ...rules("NOR"), isStrict: true };
    const errors = (activity_type: string, measure: string, geo_type: string, country = strict) =>
      unsupported({ agg_type: "activities", measure, activity_type, geo_type }, "NOR", country).map(({ allowed }) => allowed);
    const coarser = ["grid_1000m", "admin_level_2", "admin_level_4"];
    expect(errors("hourly", "stays_count", "grid_250m")).toEqual([coarser]);
    expect(errors("daily", "avg_unique_people", "grid_250m")).toEqual([coarser]);
    expect(errors("daily", "stays_count", "grid_250m")).toEqual([]);
    expect(errors("hourly", "stays_count", "grid_1000m")).toEqual([]);
    expect(errors("hourly", "stays_count", "grid_250m", rules("NOR"))).toEqual([]);
  });

  it("report the offered products if the country does not offer Activities", () => {
    const { activities: _activities, ...offers } = rules("NOR").offers;
    expect(unsupportedActivities("XYZ", "grid_250m", { ...rules("NOR"), offers })).toMatchObject([
      { pointer: "/agg_type", allowed: ["odm", "flow"] },
    ]);
  });
});
