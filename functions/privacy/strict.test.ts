import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import * as v from "valibot";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import builtIn from "../../infra/countries.json" with { type: "json" };
import { type PersistentService, startPersistent } from "../../infra/testing/persistent-service.ts";
import { parseCsv } from "../../infra/testing/reference/csv.ts";
import { parseArguments } from "../../scripts/import/arguments.ts";
import { runImport } from "../../scripts/import/run.ts";

/** Lithuania's rules with the strict profile, over the built-in ones. A device stands for 12 people at most, so its step is 120. */
const RULES = { LTU: { ...builtIn.LTU, profile: "strict" } };
const EXAMPLES = ["geographies", "road_links", "activities_hourly", "activities_daily"];
const WINDOW = { start_time: "2026-03-02T00:00:00+02:00", end_time: "2026-03-03T00:00:00+02:00" };
const HOURS = { agg_type: "activities", country_code: "LTU", measure: "sum_unique_people", activity_type: "hourly", ...WINDOW };
const FLOW = { agg_type: "flow", country_code: "LTU", ...WINDOW };

const Preview = v.looseObject({ results: v.array(v.looseObject({})), meta: v.looseObject({}) });

let folder: string;
let service: PersistentService;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "populus-strict-"));
  const rules = join(folder, "rules.json");
  writeFileSync(rules, JSON.stringify(RULES));
  service = await startPersistent(join(folder, "data"), { args: ["--days", "1", "--no-schedule", "--countries", rules] });
  for (const table of EXAMPLES) await load(table, readFileSync(`infra/examples/${table}.csv`, "utf8"));
  const links = [...readFileSync("infra/examples/road_links.csv", "utf8").matchAll(/^LTU,(\d+),[^,]*,(\w+)/gm)];
  const rows = links.flatMap(([, id], index) =>
    [1, -1].map((direction) => `LTU,${id},2026-03-02T07:00:00Z,${direction},${index === 0 ? "48,4" : "120,10"}`),
  );
  await load("flows_hourly", ["country_code,link_id,time_bucket,direction,people,devices", ...rows].join("\n"));
});

afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true });
});

async function load(table: string, csv: string): Promise<void> {
  const file = join(folder, `${table}.csv`);
  writeFileSync(file, csv);
  const request = parseArguments([table, "--file", file, "--state", service.state]);
  if (request) await runImport(request, () => undefined, new Date());
}

async function ask(path: string, query: Readonly<Record<string, string>> = {}, body?: unknown) {
  const url = `${service.ready.data_base_url}${path}?${new URLSearchParams(query)}`;
  return service.request(url, { key: key(), ...(body === undefined ? {} : { body }) });
}

const key = (): string => service.ready.customers[0]?.keys.storage ?? "";

/** Runs a job and returns the rows of its CSV files by column, as text. */
async function exported(request: object): Promise<Record<string, string>[]> {
  const { body: accepted } = await ask("/data-agg", {}, { ...request, full: true, format: "csv" });
  const path = `/data-agg/results/${v.parse(v.object({ job_id: v.string() }), accepted).job_id}`;
  await vi.waitFor(async () => expect(await ask(path)).toMatchObject({ status: 200 }), { timeout: 60_000, interval: 100 });
  const { body: signed } = await ask(`${path}/urls`, {}, {});
  const { urls } = v.parse(v.object({ urls: v.array(v.object({ url: v.string() })) }), signed);
  const files = await Promise.all(urls.map(async ({ url }) => Buffer.from(await (await fetch(url)).arrayBuffer())));
  return files.flatMap((file) => {
    const [header = [], ...lines] = parseCsv(gunzipSync(file).toString("utf8"));
    return lines.map((line) => Object.fromEntries(header.map((name, index) => [name, line[index] ?? ""])));
  });
}

it("a strict country says so, with its step and the types that have hours", async () => {
  const { body } = await ask("/countries");
  const { countries } = v.parse(v.object({ countries: v.array(v.looseObject({ country_code: v.string() })) }), body);
  expect(countries.find(({ country_code: code }) => code === "LTU")).toMatchObject({
    ...{ profile: "strict", k: 5, step: 120 },
    products: [{ agg_type: "activities", hourly_geo_types: ["grid_1000m", "admin_level_2", "admin_level_4"] }, {}, {}],
  });
  expect(countries.find(({ country_code: code }) => code === "EST")).toMatchObject({ profile: "standard", step: 20 });
});

it("its finest type has days and no hours, in previews, jobs and estimates; coarser hours are in steps of 2k devices", async () => {
  const allowed = ["grid_1000m", "admin_level_2", "admin_level_4"];
  const finest = { ...HOURS, geo_type: "grid_250m" };
  const refused = { status: 400, body: { errors: [{ pointer: "/geo_type", allowed }] } };
  expect(await ask("/data-agg", { ...finest, geo_ids: "52980003613000" })).toMatchObject(refused);
  for (const path of ["/data-agg", "/data-agg/estimate"]) expect(await ask(path, {}, finest)).toMatchObject(refused);
  const days = await ask("/data-agg", { ...finest, activity_type: "daily", geo_ids: "52980003613000" });
  expect(v.parse(Preview, days.body)).toMatchObject({ results: [{ type: "daily" }], meta: { k: 5, step: 120, suppressed_rows: null } });
  const hours = await ask("/data-agg", { ...HOURS, geo_type: "admin_level_2", geo_ids: "13" });
  expect(v.parse(Preview, hours.body).results).toEqual([expect.objectContaining({ sum_unique_people: 42 * 120 })]);
  expect(await ask("/data-agg", {}, { ...HOURS, geo_type: "admin_level_2" })).toMatchObject({ status: 202 });
});

it("its flow is that of all links of the road class; a class of few links is told like one without any flow", async () => {
  const residential = await ask("/data-agg", { ...FLOW, lat: "54.6893", lon: "25.2797" });
  const { results } = v.parse(Preview, residential.body);
  expect(results).toEqual([
    expect.objectContaining({ link_id: 0, link_name: "All roads of class residential", direction: null, people: 8 * 2 * 120 }),
  ]);
  const pages = await Promise.all(
    ["2026-03-02", "2026-03-05"].map((day) => ask("/data-agg", { ...FLOW, ...dayOf(day), lat: "54.6955", lon: "25.286" })),
  );
  const [withheld, none] = pages.map(({ body }) => v.parse(Preview, body).results);
  expect(withheld).toEqual([expect.objectContaining({ time_bucket: null, people: null })]);
  expect(none).toEqual(withheld);
});

it("its availability tells no share of withheld people, of any dataset", async () => {
  const { body } = await ask("/data-availability", { country_code: "LTU" });
  const Batch = v.looseObject({
    geo_types: v.array(v.looseObject({ geo_type: v.string(), withheld_people_percent: v.nullable(v.number()) })),
  });
  const types = v.parse(v.object({ results: v.array(Batch) }).entries.results, Object(body).results).flatMap(({ geo_types }) => geo_types);
  expect(types.length).toBeGreaterThan(3);
  expect(types.filter(({ withheld_people_percent: share }) => share !== null)).toEqual([]);
});

it("its exports have what its previews have: no finest hour, steps of 2k devices, and no row of a link", async () => {
  const finest = { ...HOURS, geo_type: "grid_250m", full: true, format: "csv" };
  expect(await ask("/data-agg", {}, finest)).toMatchObject({ status: 400, body: { errors: [{ pointer: "/geo_type" }] } });
  const hours = await exported({ ...HOURS, geo_type: "admin_level_2" });
  expect(hours.map(({ sum_unique_people }) => sum_unique_people)).toEqual([String(42 * 120)]);
  const days = await exported({ ...HOURS, activity_type: "daily", geo_type: "grid_250m" });
  expect([days.length, days.filter((row) => Number(row.sum_unique_people) % 120 > 0 || Number(row.sum_unique_people) === 0)]).toEqual([
    15,
    [],
  ]);
  const links = await exported({ ...FLOW, lat: 54.6893, lon: 25.2797 });
  expect(links).toEqual([expect.objectContaining({ link_id: "0", direction: "", people: String(8 * 2 * 120) })]);
});

const QUARTER_MS = 15 * 60_000;
const [FEW, NOBODY] = [52982503613250, 52985003613250];

it("its headcounts are of the ticks of each quarter of an hour, in its steps; few people and nobody are one and the same", async () => {
  const cells = [...readFileSync("infra/examples/geographies.csv", "utf8").matchAll(/^LTU,grid_250m,(\d+)/gm)].map(([, id]) => id);
  await load(
    "geography_cells",
    ["country_code,geo_type,geo_id,cell_id,weight", ...cells.map((id) => `LTU,grid_250m,${id},${id},1`)].join("\n"),
  );
  const quarter = new Date(Math.floor(Date.now() / QUARTER_MS) * QUARTER_MS);
  const between = new Date(quarter.getTime() - 5 * 60_000);
  const tick = async (at: Date): Promise<void> => {
    const rows = readFileSync("infra/examples/presence.csv", "utf8").trim().split("\n").slice(1);
    const lines = rows.filter((line) => !line.includes(String(NOBODY))).map((line) => `${at.toISOString()},${line}`);
    await load("presence", ["tick,country_code,cell_id,people,devices", ...lines].join("\n"));
    const headers = { "x-cloudscheduler-scheduletime": at.toISOString() };
    expect((await fetch(service.ready.functions["realtime-refresh"] ?? "", { method: "POST", headers })).status).toBe(200);
  };
  const monitored = await Promise.all(
    [[52980003613000, 52982503613000], [FEW], [NOBODY]].map(async (ids) => {
      const map = { name: "A map", type: "grid_250m", country_code: "LTU", ids };
      const { body } = await service.request(`${service.ready.users_base_url}/admin/maps`, { key: key(), body: map });
      const { id } = v.parse(v.object({ id: v.string() }), body);
      expect(await ask("/admin/realtime", {}, { map_id: id, enable: true })).toMatchObject({ status: 200 });
      return id;
    }),
  );
  for (const at of [between, quarter]) await tick(at);
  const window = { start_time: new Date(between.getTime() - 1).toISOString(), end_time: new Date(quarter.getTime() + 1).toISOString() };
  const histories = await Promise.all(monitored.map((id) => ask("/admin/realtime/history", { map_id: id, ...window })));
  const rows = histories.map(({ body }) => v.parse(v.object({ rows: v.array(v.unknown()) }), body).rows);
  const none = { timestamp: between.toISOString(), result: "NO_DATA", subscriber_count: 0 };
  const at = quarter.toISOString();
  // 8 and 25 devices, 96 and 300 people.
  expect(rows[0]).toEqual([{ timestamp: at, result: "SUCCESS", subscriber_count: 120 + 360 }, none]);
  expect(rows[1]).toEqual([{ timestamp: at, result: "SUPPRESSED", subscriber_count: 0 }, none]);
  expect(rows[2]).toEqual(rows[1]);
});

const dayOf = (day: string) => ({ start_time: `${day}T00:00:00+02:00`, end_time: `${day}T23:00:00+02:00` });
