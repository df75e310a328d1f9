import { gunzipSync } from "node:zlib";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { countryOf } from "../infra/testing/reference/countries.ts";
import { call, keyOf, newCustomer, ready, runJob } from "../infra/testing/service.ts";
import { LoginResponse } from "../shared/accounts/login-schemas.ts";
import { ExportResults, PreviewResults } from "../shared/aggregation/result-schemas.ts";

const customer = await newCustomer();
const other = await newCustomer();
const key = keyOf(customer);
const { k: K } = countryOf({});
const DAY = 86_400_000;
const today = Math.floor(Date.now() / DAY) * DAY;
const date = (daysAgo: number): string => new Date(today - daysAgo * DAY).toISOString().slice(0, 10);
const window = { start_time: date(3), end_time: date(2) };
const odm = { agg_type: "odm", measure: "trips", origin_geo_type: "grid_1000m", destination_geo_type: "grid_1000m", ...window };

const Manifest = v.object({
  job_id: v.string(),
  total_rows: v.number(),
  files: v.array(v.object({ name: v.string(), size: v.number(), crc32c: v.string() })),
  columns: v.array(v.object({ name: v.string(), type: v.string() })),
  meta: v.object({ suppressed_rows: v.null(), k: v.number() }),
  data_versions: v.array(v.object({ batch_date: v.string(), version: v.number() })),
  request: v.record(v.string(), v.unknown()),
});

async function login(): Promise<v.InferOutput<typeof LoginResponse>> {
  return v.parse(LoginResponse, (await call("users", "POST", "/login-with-apikey", { key })).body);
}

function download(name: string, token?: string): Promise<Response> {
  return fetch(`${ready.storage_endpoint}/${ready.export_bucket}/${name}`, token ? { headers: { authorization: `Bearer ${token}` } } : {});
}

describe("the customer's journey", () => {
  it("leads from a key to a token that lasts an hour", async () => {
    const { userId, expireTime } = await login();
    expect(userId).toBe(customer.uid);
    expect(Date.parse(expireTime) - Date.now()).toBeGreaterThan(3_500_000);
    expect(Date.parse(expireTime) - Date.now()).toBeLessThanOrEqual(3_600_000);
  });

  it("leads from a submission to a preview of at most 100 rows", async () => {
    const { id, status } = await runJob(key, odm);
    expect(status).toBe("completed");
    const { body } = await call("data", "GET", `/data-agg/results/${id}`, { key });
    const results = v.parse(PreviewResults, body);
    expect(results).toMatchObject({ country_code: "EST", status: "completed" });
    expect(results.preview).toHaveLength(100);
    expect(results.total_rows).toBeGreaterThan(100);
  });

  it("leads from a full job to files that the token opens, complete according to the manifest", async () => {
    const { id } = await runJob(key, { ...odm, full: "true" });
    const results = v.parse(ExportResults, (await call("data", "GET", `/data-agg/results/${id}?full=true`, { key })).body);
    expect(results.http_path).toBe(
      `https://console.cloud.google.com/storage/browser/local-exports/results/${customer.uid}/${id}/odm_daily_trips`,
    );
    expect(results.gs_uri).toBe(`gs://local-exports/results/${customer.uid}/${id}/odm_daily_trips/`);
    const folder = `results/${customer.uid}/${id}/odm_daily_trips/`;
    const { accessToken } = await login();
    const manifest = v.parse(Manifest, await (await download(`${folder}manifest.json`, accessToken)).json());
    expect(manifest).toMatchObject({ job_id: id, total_rows: results.total_rows, files: results.files, meta: { k: K } });
    expect(manifest.data_versions.length).toBeGreaterThan(0);
    const { body: status } = await call("data", "GET", `/data-agg/status/${id}?include=request`, { key });
    expect(manifest.request).toEqual(Object(status).request);
    let rows = 0;
    for (const { name, size } of manifest.files) {
      const bytes = Buffer.from(await (await download(folder + name, accessToken)).arrayBuffer());
      expect(bytes).toHaveLength(size);
      const lines = gunzipSync(bytes).toString("utf8").trimEnd().split("\n");
      expect(lines[0]).toBe(manifest.columns.map((column) => column.name).join(","));
      rows += lines.length - 1;
    }
    expect(rows).toBe(manifest.total_rows);
  });

  it("gives no access to another customer's folder, or to any folder without a token", async () => {
    const { id } = await runJob(keyOf(other), { ...odm, full: true });
    const { accessToken } = await login();
    const name = `results/${other.uid}/${id}/odm_daily_trips/manifest.json`;
    expect((await download(name, accessToken)).status).toBe(403);
    expect((await download(name)).status).toBe(401);
    const list = `${ready.storage_endpoint}/storage/v1/b/${ready.export_bucket}/o?prefix=${encodeURIComponent(`results/${other.uid}/`)}`;
    expect((await fetch(list, { headers: { authorization: `Bearer ${accessToken}` } })).status).toBe(403);
  });
});
