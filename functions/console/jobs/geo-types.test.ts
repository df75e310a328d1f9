import { expect, it } from "vitest";
import { geoTypesOf } from "./geo-types.ts";

it("in a strict country, the finest type has days of its own and no hours, nor measures over hours", () => {
  const hourly = ["admin_level_2", "admin_level_4"];
  const activities = {
    agg_type: "activities",
    geo_types: ["grid_1000m", ...hourly],
    hourly_geo_types: hourly,
  };
  const types = (measure: string, activityType: string) => geoTypesOf(activities, { measure, activityType });
  expect(types("sum_unique_people", "hourly")).toEqual(hourly);
  expect(types("sum_unique_people", "daily")).toEqual(activities.geo_types);
  expect(types("avg_unique_people", "daily")).toEqual(hourly);
  expect(types("max_unique_people", "daily")).toEqual(hourly);
  const odm = { ...activities, agg_type: "odm", hourly_geo_types: [] };
  expect(geoTypesOf(odm, { measure: "", activityType: "" })).toEqual(odm.geo_types);
});
