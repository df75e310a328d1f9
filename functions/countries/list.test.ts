import { expect, it } from "vitest";
import { call, keyOf, newCustomer } from "../../infra/testing/service.ts";

it("GET /countries tells what each country of the key offers, and no other country", async () => {
  const key = keyOf(await newCustomer({ countries: ["EST", "NOR"] }));
  const { status, body } = await call("data", "GET", "/countries", { key });
  expect({ status, body }).toMatchObject({ status: 200, body: { countries: [{ country_code: "EST" }, { country_code: "NOR" }] } });
  const activities = {
    agg_type: "activities",
    geo_types: ["grid_1000m", "admin_level_2", "admin_level_4"],
    hourly_geo_types: ["grid_1000m", "admin_level_2", "admin_level_4"],
    measures: ["sum_unique_people", "avg_unique_people", "max_unique_people", "stays_count", "stays_dwell_minutes", "stays_devices"],
    activity_types: ["hourly", "daily"],
    mixed: false,
  };
  expect(body).toMatchObject({
    countries: [
      {
        ...{
          country_code: "EST",
          name: "Estonia",
          aliases: ["EE"],
          time_zone: "Europe/Tallinn",
          k: 5,
          step: 20,
          profile: "standard",
          window_days_max: 400,
          extent: [21.5, 57.4, 28.3, 59.9],
        },
        products: [activities, { agg_type: "odm", geo_types: ["grid_1000m"], measures: [], mixed: false }, { agg_type: "flow" }],
      },
      { country_code: "NOR", products: [{ agg_type: "activities" }, { agg_type: "odm", mixed: true }, { agg_type: "flow" }] },
    ],
  });
});

it("every geography type, measure and activity type that it names is accepted in a request", async () => {
  const key = keyOf(await newCustomer());
  const window = { start_time: "2020-01-01T00:00:00Z", end_time: "2020-01-02T00:00:00Z" };
  const statuses: number[] = [];
  for (const country_code of ["EST", "LAT", "NOR"])
    for (const measure of ["sum_unique_people", "stays_devices"])
      for (const activity_type of ["hourly", "daily"]) {
        const body = { agg_type: "activities", country_code, measure, activity_type, geo_type: "admin_level_2", ...window };
        statuses.push((await call("data", "POST", "/data-agg/estimate", { key, body })).status);
      }
  expect(new Set(statuses)).toEqual(new Set([200]));
});
