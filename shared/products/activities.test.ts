import { describe, expect, it } from "vitest";
import type { CountryRules } from "../countries/country-rules.ts";
import type { ActivitiesRequest } from "./activities.ts";
import { queryOf } from "./testing/query-of.ts";

const india: CountryRules = {
  name: "India",
  aliases: [],
  timeZone: "Asia/Kolkata",
  k: 5,
  peopleOfDevice: 4,
  windowDaysMax: 400,
  isProtected: false,
  isStrict: false,
  grid: undefined,
  offers: { activities: { geo_types: ["admin_level_2"] } },
};
/** One civil day of Kolkata. Its midnight lies within a UTC hour. */
const request: ActivitiesRequest = {
  agg_type: "activities",
  country_code: "IND",
  measure: "sum_unique_people",
  activity_type: "hourly",
  geo_type: "admin_level_2",
  geo_ids: null,
  start_time: "2026-10-31T18:30:00.000Z",
  end_time: "2026-11-01T18:30:00.000Z",
  full: false,
  format: "csv",
};

describe("the dates that Activities reads in Asia/Kolkata", () => {
  it("include the day before for hours: the first hour that overlaps the window begins on it", () => {
    const { parameters } = queryOf(request, { IND: india });
    expect(parameters).toMatchObject({ first_date: { value: "2026-10-31" }, last_date: { value: "2026-11-01" } });
  });

  it.each(["sum_unique_people", "max_unique_people"] as const)("are the days of the window for days: %s", (measure) => {
    const daily: ActivitiesRequest = { ...request, activity_type: "daily", measure };
    const { parameters } = queryOf(daily, { IND: india });
    expect(parameters).toMatchObject({ first_date: { value: "2026-11-01" }, last_date: { value: "2026-11-01" } });
  });
});
