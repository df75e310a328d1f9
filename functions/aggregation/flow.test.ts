import { gunzipSync } from "node:zlib";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { callInProcess } from "../../infra/testing/in-process.ts";
import { call, keyOf, newCustomer, ready, runJob } from "../../infra/testing/service.ts";
import { LoginResponse } from "../../shared/accounts/login-schemas.ts";
import { ExportResults, PreviewResults } from "../../shared/aggregation/result-schemas.ts";
import { FlowRow, flow } from "../../shared/products/flow.ts";
import { config } from "../../shared/runtime/config.ts";
import submit from "./submit.ts";

const customer = await newCustomer();
const key = keyOf(customer);
const DAY = 86_400_000;
const today = Math.floor(Date.now() / DAY) * DAY;
const date = (daysAgo: number): string => new Date(today - daysAgo * DAY).toISOString().slice(0, 10);
const viru = { agg_type: "flow", lat: 59.437, lon: 24.7454 };
const window = { start_time: date(3), end_time: date(2) };

function get(parameters: Record<string, unknown>) {
  const query = new URLSearchParams(Object.entries(parameters).map(([name, value]): [string, string] => [name, String(value)]));
  return call("data", "GET", `/data-agg?${query}`, { key });
}

async function preview(parameters: Record<string, unknown>) {
  const { status, body, headers } = await get({ ...viru, ...parameters });
  expect(status, JSON.stringify(body)).toBe(200);
  const answer = v.parse(v.union([...flow.product.previews]), body);
  return { ...answer, link: answer.link, results: v.parse(v.array(FlowRow), answer.results), headers };
}

describe("the preview of Flow", () => {
  it("returns one row per hour and direction of the nearest link, in order, and echoes the request", async () => {
    const { results, headers, meta, data_versions: versions, link, ...echo } = await preview(window);
    expect(echo).toEqual({
      ...viru,
      kind: "flow_rows",
      country_code: "EST",
      start_time: `${date(3)}T00:00:00.000Z`,
      end_time: `${date(2)}T00:00:00.000Z`,
      truncated: false,
      warnings: [],
    });
    expect(headers.get("deprecation")).toBeNull();
    expect(versions.map(({ batch_date }) => batch_date)).toEqual([date(3), date(2)]);
    expect(results.length).toBeGreaterThan(0);
    expect(results.length).toBeLessThanOrEqual(48);
    expect(meta.suppressed_rows).toBeNull();
    const links = results.map(({ link_id, link_name, link_type, distance_m }) => ({ link_id, link_name, link_type, distance_m }));
    expect(links.every((link) => JSON.stringify(link) === JSON.stringify(links[0]))).toBe(true);
    const { link_id, link_name } = links[0] ?? {};
    expect(link).toEqual({ link_id, link_name, geometry: { type: "LineString", coordinates: expect.any(Array) } });
    const order = results.map(({ time_bucket, direction }) => `${time_bucket} ${direction === 1 ? 1 : 0}`);
    expect(order).toEqual(order.toSorted());
  });

  it("accepts the deprecated names of the window, with a Deprecation header", async () => {
    const { results, headers, start_time } = await preview({ datetime_from: date(3), datetime_to: date(2) });
    expect(headers.get("deprecation")).toMatch(/^@\d+$/);
    expect({ results, start_time }).toEqual({ results: (await preview(window)).results, start_time: `${date(3)}T00:00:00.000Z` });
  });

  it("without an end runs until now, and is cut after 24 hours", async () => {
    const before = Date.now();
    const { truncated, end_time, results } = await preview({ start_time: date(3) });
    expect(Date.parse(end_time)).toBeGreaterThanOrEqual(before);
    expect({ truncated, results }).toEqual({ truncated: true, results: (await preview(window)).results });
  });

  it("without an end is rejected if the country requires one", async () => {
    expect(await get({ ...viru, country_code: "NOR", start_time: date(3) })).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: "/end_time", detail: "is required for flow in NOR" }] },
    });
  });

  it("that starts in the future and has no end is rejected", async () => {
    expect(await get({ ...viru, start_time: date(-2) })).toMatchObject({ status: 400, body: { errors: [{ pointer: "/start_time" }] } });
  });

  it.each([
    ["the future", { start_time: date(-9), end_time: date(-10) }],
    ["a time before the data", { start_time: "2020-01-01", end_time: "2020-01-02" }],
  ])("of %s is one row of nulls with the link", async (_when, when) => {
    const { results, meta, data_versions: versions } = await preview(when);
    const [link] = (await preview(window)).results;
    expect(results).toEqual([{ ...link, time_bucket: null, direction: null, people: null }]);
    expect({ suppressed: meta.suppressed_rows, versions }).toEqual({ suppressed: null, versions: [] });
  });

  it("far from any link is a 404 with the search distance", async () => {
    expect(await get({ ...viru, lat: 58, lon: 22, ...window })).toMatchObject({
      status: 404,
      body: { code: "not_found", detail: "No road link of EST lies within 2,000 m of latitude 58, longitude 22" },
    });
  });

  it.each([
    ["with lat and lon swapped", { lat: 24.7, lon: 59.4 }, "; did you swap lat and lon?"],
    ["of another country", { lat: 59.91, lon: 10.75 }, ": send the country_code of the place"],
  ])("%s is a 404 that says so", async (_what, { lat, lon }, hint) => {
    const given = `latitude ${lat}, longitude ${lon}`;
    expect(await get({ ...viru, lat, lon, ...window })).toMatchObject({
      status: 404,
      body: { detail: expect.stringMatching(new RegExp(`${given}, which is outside EST${hint.replace("?", "\\?")}$`)) },
    });
  });
});

describe("a job of Flow", () => {
  it("returns the rows of the preview", async () => {
    const { id, status } = await runJob(key, { ...viru, ...window });
    expect(status).toBe("completed");
    const results = v.parse(PreviewResults, (await call("data", "GET", `/data-agg/results/${id}`, { key })).body);
    const { results: rows, meta } = await preview(window);
    expect(results).toMatchObject({ preview: rows, total_rows: rows.length, meta, superseded: false });
  });

  it("is exported into the folder flow_hourly_people, longer windows whole", async () => {
    const { id } = await runJob(key, { ...viru, start_time: date(4), end_time: date(2), full: true });
    const results = v.parse(ExportResults, (await call("data", "GET", `/data-agg/results/${id}`, { key })).body);
    expect(results.gs_uri).toBe(`gs://local-exports/results/${customer.uid}/${id}/flow_hourly_people/`);
    expect(results.total_rows).toBeGreaterThan((await preview(window)).results.length);
    expect(results.total_rows).toBeLessThanOrEqual(96);
    const { accessToken } = v.parse(LoginResponse, (await call("users", "POST", "/login-with-apikey", { key })).body);
    const name = `results/${customer.uid}/${id}/flow_hourly_people/${results.files[0]?.name}`;
    const headers = { authorization: `Bearer ${accessToken}` };
    const file = await fetch(`${ready.storage_endpoint}/${ready.export_bucket}/${name}`, { headers });
    const lines = gunzipSync(Buffer.from(await file.arrayBuffer()))
      .toString("utf8")
      .trimEnd()
      .split("\n");
    expect(lines[0]).toBe("link_id,link_name,link_type,distance_m,time_bucket,direction,people");
    expect(lines).toHaveLength(results.total_rows + 1);
  });

  it("far from any link is rejected at once, and no job is created", async () => {
    const before = await call("data", "GET", "/data-agg/jobs?agg_type=flow", { key });
    expect(await call("data", "POST", "/data-agg", { key, body: { ...viru, lat: 58, lon: 22, ...window } })).toMatchObject({
      status: 404,
      body: { detail: expect.stringContaining("within 2,000 m") },
    });
    const after = await call("data", "GET", "/data-agg/jobs?agg_type=flow", { key });
    expect(after.body).toEqual(before.body);
  });

  it("without an end returns the same job for the same Idempotency-Key, although now has changed", async () => {
    const submit = () =>
      call("data", "POST", "/data-agg", { key, body: { ...viru, start_time: date(3) }, headers: { "idempotency-key": "until now" } });
    const [first, second] = [await submit(), await submit()];
    expect(second).toMatchObject({ status: 202, body: { job_id: v.parse(v.object({ job_id: v.string() }), first.body).job_id } });
  });

  it("is returned for its Idempotency-Key even while the warehouse is down", async () => {
    const down = { ...config(), addresses: { ...config().addresses, bigquery: "http://127.0.0.1:1" } };
    const headers = { "idempotency-key": "through thick and thin" };
    const body = { ...viru, ...window };
    const first = await call("data", "POST", "/data-agg", { key, body, headers });
    expect(await callInProcess({ endpoint: submit, config: down, key, body, headers })).toMatchObject({
      job_id: v.parse(v.object({ job_id: v.string() }), first.body).job_id,
    });
  });

  it.each([
    [{ ...viru, lat: "59.4" }, "/lat"],
    [{ ...viru, lon: 181 }, "/lon"],
    [{ ...viru, activity_type: "daily" }, "/activity_type"],
    [{ ...viru, start_time: date(2), datetime_to: date(3) }, "/datetime_to"],
  ])("of %j is rejected", async (body, pointer) => {
    expect(await call("data", "POST", "/data-agg", { key, body: { start_time: date(3), ...body } })).toMatchObject({
      status: 400,
      body: { errors: [{ pointer }] },
    });
  });
});
