import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { countryOf } from "../../infra/testing/reference/countries.ts";
import { call, keyOf, newCustomer } from "../../infra/testing/service.ts";
import { ActivitiesRow, activities as definition } from "../../shared/products/activities.ts";

const customer = await newCustomer();
const key = keyOf(customer);
const { k: K, step: STEP } = countryOf({});
const DAY = 86_400_000;
const today = Math.floor(Date.now() / DAY) * DAY;
const date = (daysAgo: number): string => new Date(today - daysAgo * DAY).toISOString().slice(0, 10);
const TALLINN = 784;
/** The square kilometre of the middle of Tallinn. */
const CENTRE = 51520004123000;

function get(parameters: Record<string, string | readonly string[]>, of = key) {
  const query = new URLSearchParams(
    Object.entries(parameters).flatMap(([name, values]) => [values].flat().map((value): [string, string] => [name, value])),
  );
  return call("data", "GET", `/data-agg?${query}`, { key: of });
}

const activities = {
  agg_type: "activities",
  measure: "sum_unique_people",
  activity_type: "hourly",
  geo_type: "admin_level_2",
  geo_ids: String(TALLINN),
  start_time: date(3),
  end_time: date(2),
};
const matrix = {
  ...{ agg_type: "odm", origin_geo_type: "grid_1000m", destination_geo_type: "grid_1000m" },
  ...{ start_time: date(3), end_time: date(2) },
};
const flow = { agg_type: "flow", lat: "59.437", lon: "24.7454", start_time: date(3), end_time: date(2) };

async function preview(parameters: Record<string, string | readonly string[]>) {
  const answer = await get({ ...activities, ...parameters });
  expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 200 });
  const body = v.parse(v.union([...definition.product.previews]), answer.body);
  return { ...body, results: v.parse(v.array(ActivitiesRow), body.results) };
}

describe("the preview of Activities", () => {
  it("returns the rows of a day synchronously, with the window", async () => {
    const { results, ...rest } = await preview({});
    expect(rest).toEqual({
      agg_type: "activities",
      kind: "activities_rows",
      country_code: "EST",
      start_time: `${date(3)}T00:00:00.000Z`,
      end_time: `${date(2)}T00:00:00.000Z`,
      truncated: false,
      meta: { suppressed_rows: null, unknown_ids: [], k: K, step: STEP },
      data_versions: [
        { batch_date: date(3), version: 1 },
        { batch_date: date(2), version: 1 },
      ],
      warnings: [],
    });
    const [first] = results;
    expect(first).toMatchObject({ geo_id: TALLINN, geo_name: "Tallinn", type: "hourly", time_bucket: expect.stringContaining(date(3)) });
  });

  it("of a longer window returns its first 24 hours, says so, and echoes the requested window", async () => {
    const { results, truncated, end_time } = await preview({ start_time: `${date(4)}T06:30:00Z`, end_time: date(1) });
    expect({ truncated, end_time }).toEqual({ truncated: true, end_time: `${date(1)}T00:00:00.000Z` });
    const buckets = results.map(({ time_bucket }) => time_bucket);
    expect(buckets.every((bucket) => bucket >= `${date(4)}T06:00:00.000Z` && bucket <= `${date(3)}T06:00:00.000Z`)).toBe(true);
    // Includes both hours that the day overlaps only partly.
    expect(buckets).toHaveLength(25);
  });

  it("has no row limit other than the day", async () => {
    const found = await call("data", "GET", "/geographies?geo_type=grid_1000m&limit=500&bbox=24.5,59.3,25,59.5", { key });
    const { geographies } = v.parse(v.object({ geographies: v.array(v.object({ geo_id: v.number() })) }), found.body);
    const ids = geographies.map(({ geo_id }) => geo_id).join(",");
    const { results } = await preview({ geo_type: "grid_1000m", geo_ids: ids });
    expect(results.length).toBeGreaterThan(100);
    expect(results.length).toBeLessThanOrEqual(24 * geographies.length);
  });

  it.each([
    ["comma separated", "784,793"],
    ["repeated", ["784", "793"]],
    ["both, some twice", ["784,793", "784"]],
  ])("accepts ids %s", async (_form, geo_ids) => {
    const { results } = await preview({ geo_ids });
    expect([...new Set(results.map(({ geo_id }) => geo_id))].sort()).toEqual([784, 793]);
  });

  it("returns rows for known ids and lists the others", async () => {
    const { results, meta } = await preview({ geo_ids: "999999,784,1" });
    expect(new Set(results.map(({ geo_id }) => geo_id))).toEqual(new Set([784]));
    expect(meta.unknown_ids).toEqual([1, 999999]);
  });
});

describe("a preview", () => {
  it("of the matrix shows the pairs of one geography in the first civil day, the largest first, and needs no measure", async () => {
    const pairs = { ...matrix, origin_geo_ids: String(CENTRE), start_time: `${date(3)}T12:00:00+02:00` };
    const { status, body } = await get(pairs);
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { agg_type: "odm", truncated: true, warnings: [{ code: "window_clipped" }], data_versions: [{ batch_date: date(3) }] },
    });
    const Rows = v.array(v.object({ batch_date: v.literal(date(3)), origin_geo_id: v.literal(CENTRE), trips: v.number() }));
    const { results } = v.parse(v.object({ results: Rows }), body);
    expect(results.length).toBeGreaterThan(5);
    expect(results.map(({ trips }) => trips)).toEqual(results.map(({ trips }) => trips).toSorted((a, b) => b - a));
    expect((await get({ ...pairs, measure: "anything" })).body).toEqual(body);
  });

  it.each([
    ["activities", activities],
    ["odm", { ...matrix, origin_geo_ids: String(CENTRE) }],
    ["flow", flow],
  ])("of %s takes format=rows, which is what it answers without", async (_product, parameters) => {
    const plain = await get(parameters);
    expect(plain.status).toBe(200);
    expect(await get({ ...parameters, format: "rows" })).toMatchObject({ status: 200, body: plain.body });
  });

  it.each([
    ["no product", {}, "/agg_type", "is required: activities, odm, flow"],
    ["another product", { agg_type: "traffic" }, "/agg_type", "must be one of activities, odm, flow"],
    ["full, which is a job's", { ...activities, full: "true" }, "/full", "is not a known field"],
    ["no ids and no box", { ...activities, geo_ids: [] }, "/geo_ids", "is required, unless bbox is given"],
    ["ids and a box", { ...activities, bbox: "24,59,25,60" }, "/bbox", "must be left out if geo_ids is given"],
    [
      "a box with its axes swapped",
      { ...activities, geo_ids: [], bbox: "59,24,60,25" },
      "/bbox",
      "lies outside EST; did you swap longitude and latitude? The order is west,south,east,north",
    ],
    [
      "columns of the matrix",
      { ...matrix, origin_geo_ids: "1", format: "columns" },
      "/format",
      "must be rows: columns are of activities only",
    ],
    ["columns of flow", { ...flow, format: "columns" }, "/format", "must be rows: columns are of activities only"],
    ["a format of jobs", { ...activities, format: "csv" }, "/format", "must be one of rows, columns"],
    [
      "the matrix of neither side",
      matrix,
      "/origin_geo_ids",
      "is required, unless destination_geo_ids is given: a preview shows the pairs of one geography; POST /data-agg has the whole matrix",
    ],
    [
      "the matrix of both sides",
      { ...matrix, origin_geo_ids: "1", destination_geo_ids: "2" },
      "/destination_geo_ids",
      "must be left out if origin_geo_ids is given: a preview shows all pairs of one geography; POST /data-agg takes both sides",
    ],
    [
      "the matrix of two origins",
      { ...matrix, origin_geo_ids: ["1", "2"] },
      "/origin_geo_ids",
      "must be one id in a preview; POST /data-agg takes up to 10,000",
    ],
    ["an id that is none", { ...activities, geo_ids: "784,x" }, "/geo_ids/1", expect.stringContaining("must be a geography id")],
    ["501 ids", { ...activities, geo_ids: Array.from({ length: 501 }, (_, id) => String(id)) }, "/geo_ids", "must hold at most 500 ids"],
    ["a reversed window", { ...activities, end_time: date(4) }, "/end_time", "must be after start_time"],
    ["a time given twice", { ...activities, start_time: [date(3), date(4)] }, "/start_time", "must be given once"],
    ["a latitude beyond the pole", { ...flow, lat: "90.1" }, "/lat", "must be a latitude: a number of degrees from -90 to 90"],
    ["a longitude that is no number", { ...flow, lon: "24,7" }, "/lon", "must be a longitude: a number of degrees from -180 to 180"],
    ["no coordinate", { agg_type: "flow", start_time: date(3), lon: "24" }, "/lat", "is required"],
    ["no start", { agg_type: "flow", lat: "59", lon: "24" }, "/start_time", "is required"],
    [
      "an alias and its successor",
      { ...flow, datetime_from: date(3) },
      "/datetime_from",
      "is the deprecated alias of start_time: give one of the two",
    ],
    [
      "an alias of the end and its successor",
      { ...flow, datetime_to: date(2) },
      "/datetime_to",
      "is the deprecated alias of end_time: give one of the two",
    ],
    [
      "a window of 401 days",
      { ...activities, start_time: "2025-01-01", end_time: "2026-02-06" },
      "/end_time",
      "must be at most 400 days after start_time",
    ],
    [
      "a reversed window under its deprecated names",
      { agg_type: "flow", lat: "59", lon: "24", datetime_from: date(3), datetime_to: date(4) },
      "/datetime_to",
      "must be after datetime_from",
    ],
    [
      "a window of 401 days under its deprecated names",
      { agg_type: "flow", lat: "59", lon: "24", datetime_from: "2025-01-01", datetime_to: "2026-02-06" },
      "/datetime_to",
      "must be at most 400 days after datetime_from",
    ],
    [
      "a window of more than 400 days until now",
      { agg_type: "flow", lat: "59", lon: "24", datetime_from: date(401) },
      "/datetime_from",
      "must be at most 400 days before now, the default end_time",
    ],
    ["ids of Activities with Flow", { ...flow, geo_ids: "1" }, "/geo_ids", "is not a known field"],
  ])("rejects %s", async (_what, parameters, pointer, detail) => {
    expect(await get(parameters)).toMatchObject({ status: 400, body: { code: "invalid_argument", errors: [{ pointer, detail }] } });
  });

  it.each([
    [
      "Activities",
      { ...activities, country_code: "EST", geo_type: "grid_250m" },
      "/geo_type",
      ["grid_1000m", "admin_level_2", "admin_level_4"],
    ],
    [
      "osm_links",
      { ...activities, country_code: "no", geo_type: "osm_links" },
      "/geo_type",
      ["grid_250m", "grid_1000m", "admin_level_2", "admin_level_4"],
    ],
  ])("of %s in a country without it lists what the country has", async (_what, parameters, pointer, allowed) => {
    expect(await get(parameters)).toMatchObject({ status: 400, body: { code: "unsupported_combination", errors: [{ pointer, allowed }] } });
  });

  it("of a country that the key does not cover is a 403, of an unknown one a 400", async () => {
    const estonian = keyOf(await newCustomer({ countries: ["EST"], defaultCountry: "EST" }));
    expect(await get({ ...activities, country_code: "NOR" }, estonian)).toMatchObject({ status: 403, body: { code: "permission_denied" } });
    expect(await get({ ...activities, country_code: "SWE" }, estonian)).toMatchObject({ status: 400 });
  });
});
