import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { call, keyOf, newCustomer } from "../../infra/testing/service.ts";
import { EstimateResponse } from "../../shared/aggregation/estimate-schemas.ts";

const customer = await newCustomer();
const key = keyOf(customer);
const DAY = 86_400_000;
const today = Math.floor(Date.now() / DAY) * DAY;
const date = (daysAgo: number): string => new Date(today - daysAgo * DAY).toISOString().slice(0, 10);
const window = { start_time: date(3), end_time: date(2) };
const activities = { agg_type: "activities", measure: "sum_unique_people", activity_type: "hourly", geo_type: "admin_level_2", ...window };
const odm = { agg_type: "odm", measure: "trips", origin_geo_type: "grid_1000m", destination_geo_type: "grid_1000m", ...window };
const flow = { agg_type: "flow", lat: 59.437, lon: 24.7454, ...window };

async function estimate(body: object) {
  const answer = await call("data", "POST", "/data-agg/estimate", { key, body });
  expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 200 });
  return v.parse(EstimateResponse, answer.body);
}

async function geographies(type: string): Promise<number> {
  const { body } = await call("data", "GET", `/geographies?geo_type=${type}&limit=1000`, { key });
  return v.parse(v.object({ geographies: v.array(v.unknown()), next_cursor: v.null() }), body).geographies.length;
}

describe("an estimate", () => {
  it.each([
    ["ids × hours", { ...activities, geo_ids: [784, 793, "784", 999999] }, 3 * 24],
    [
      "ids × hours that the window touches",
      { ...activities, geo_ids: [784], start_time: `${date(3)}T00:30:00Z`, end_time: `${date(3)}T02:30:00Z` },
      3,
    ],
    ["ids × civil days that the window touches", { ...activities, activity_type: "daily", geo_ids: [784] }, 2],
    ["pairs × days", { ...odm, origin_geo_ids: [1, 2], destination_geo_ids: [3, 4, 5] }, 2 * 3 * 2],
    ["hours × directions", flow, 24 * 2],
  ])("counts %s", async (_what, body, rows) => {
    expect((await estimate(body)).estimated_rows_max).toBe(rows);
  });

  it("counts every geography if no ids are given", async () => {
    expect((await estimate(activities)).estimated_rows_max).toBe((await geographies("admin_level_2")) * 24);
    const cells = (await estimate({ ...odm, origin_geo_ids: [1] })).estimated_rows_max / 2;
    expect((await estimate(odm)).estimated_rows_max).toBe(cells * cells * 2);
  });

  it("grows with the number of days, and with an export, which reads them twice", async () => {
    const day = await estimate(odm);
    const week = await estimate({ ...odm, start_time: date(10) });
    const exported = await estimate({ ...odm, full: true });
    expect(week.estimated_bytes_max).toBeGreaterThan(3 * day.estimated_bytes_max);
    expect(exported.estimated_bytes_max).toBeGreaterThan(1.5 * day.estimated_bytes_max);
  });

  it("computes the price of the billed bytes: 6.25 USD per TiB, at least 10 MiB per table", async () => {
    const { estimated_bytes_max: bytes, estimated_cost_max: cost } = await estimate(activities);
    const tables = 3;
    expect(cost).toEqual({ amount: Math.ceil(((bytes + tables * 10 * 2 ** 20) / 2 ** 40) * 6.25 * 1e6) / 1e6, currency: "USD" });
  });

  it("stores no job", async () => {
    await estimate({ ...odm, full: true });
    expect((await call("data", "GET", "/data-agg/jobs", { key })).body).toEqual({ jobs: [], next_cursor: null });
  });

  it("needs no road near a coordinate, since it does no lookup", async () => {
    expect((await estimate({ ...flow, lat: 58, lon: 22 })).estimated_rows_max).toBe(48);
  });

  it.each([
    [{ ...activities, geo_type: "grid_250m" }, "unsupported_combination"],
    [{ ...activities, measure: "people" }, "invalid_argument"],
    [{ ...flow, agg_type: "traffic" }, "invalid_argument"],
  ])("of %j is rejected like the job", async (body, code) => {
    expect(await call("data", "POST", "/data-agg/estimate", { key, body })).toMatchObject({ status: 400, body: { code } });
    const job = await call("data", "POST", "/data-agg", { key, body });
    expect(job).toMatchObject({ status: 400, body: { code } });
  });
});
