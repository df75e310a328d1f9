import * as v from "valibot";
import { expect, it } from "vitest";
import { call, keyOf, newCustomer } from "../../infra/testing/service.ts";
import { JobRequest } from "../../shared/products/catalogue.ts";

const key = keyOf(await newCustomer());
const window = { start_time: "2020-01-01", end_time: "2020-01-02" };
const read = { country_code: "EST", start_time: "2020-01-01T00:00:00.000Z", end_time: "2020-01-02T00:00:00.000Z" };
const defaults = { full: false, format: "csv" };
const activities = { agg_type: "activities", measure: "stays_count", activity_type: "daily", geo_type: "grid_1000m" };
const types = { origin_geo_type: "grid_1000m", destination_geo_type: "grid_1000m" };
const odm = { agg_type: "odm", measure: "a_name", ...types };
const flow = { agg_type: "flow", lat: 59.437, lon: 24.7454 };

const Submitted = v.object({ job_id: v.string() });
const Status = v.object({ request: JobRequest });

/** Submits a job and returns its request, as its status has it. */
async function requestOf(body: object): Promise<unknown> {
  const submitted = await call("data", "POST", "/data-agg", { key, body });
  expect(submitted, JSON.stringify(submitted.body)).toMatchObject({ status: 202 });
  const { job_id: id } = v.parse(Submitted, submitted.body);
  const { body: status } = await call("data", "GET", `/data-agg/status/${id}?include=request`, { key });
  expect(Object.keys(v.parse(Status, status).request).sort()).toEqual(Object.keys(Object(status).request).sort());
  return Object(status).request;
}

it.each([
  ["activities of all geographies", activities, { ...activities, ...read, ...defaults }],
  [
    "activities of some",
    { ...activities, geo_ids: ["2", 1], full: "true" },
    { ...activities, ...read, ...defaults, geo_ids: [2, 1], full: true },
  ],
  ["trips of all pairs", odm, { ...odm, activity_type: "daily", ...read, ...defaults }],
  [
    "trips of some pairs",
    { ...odm, origin_geo_ids: [1], destination_geo_ids: [2], format: "json" },
    { ...odm, activity_type: "daily", ...read, ...defaults, origin_geo_ids: [1], destination_geo_ids: [2], format: "json" },
  ],
  ["flow", flow, { ...flow, measure: "people", activity_type: "hourly", ...read, ...defaults }],
])("the request of a job of %s has every default, and can be posted again as it is", async (_what, asked, expected) => {
  const request = await requestOf({ ...asked, ...window });
  expect(request).toEqual(expected);
  expect(await requestOf(Object(request))).toEqual(request);
});

it.each([
  ["measure", "trips", "people"],
  ["activity_type", "daily", "hourly"],
])("a job of flow has no other %s than its own", async (name, value, own) => {
  const body = { ...flow, ...window, [name]: value };
  expect(await call("data", "POST", "/data-agg", { key, body })).toMatchObject({
    status: 400,
    body: { errors: [{ pointer: `/${name}`, detail: expect.stringContaining(own) }] },
  });
});
