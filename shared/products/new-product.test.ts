import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import * as v from "valibot";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type PersistentService, startPersistent } from "../../infra/testing/persistent-service.ts";
import { COLUMN } from "./testing/new-product/added-column.ts";
import { type Addition, type Edit, type Overlay, overlay } from "./testing/new-product/overlay.ts";

const HERE = "shared/products/testing/new-product";

/** A product consists of its definition, its table, an entry in the catalogue and the countries' offers. An import loads its rows. */
const PRODUCT: readonly (Edit | Addition)[] = [
  { file: "shared/products/visits.ts", copyOf: `${HERE}/visits.ts` },
  { file: "infra/warehouse/visits_daily.sql", copyOf: `${HERE}/visits_daily.sql` },
  {
    file: "shared/products/catalogue.ts",
    from: 'import { odm } from "./odm.ts";',
    to: 'import { odm } from "./odm.ts";\nimport { visits } from "./visits.ts";',
  },
  { file: "shared/products/catalogue.ts", from: "[activities, odm, flow] as const", to: "[activities, odm, flow, visits] as const" },
  { file: "infra/countries.json", from: '"EST": {', to: '"EST": {\n    "visits": { "geo_types": ["admin_level_2"] },' },
];

/** A measure on an existing column. */
const MEASURE: readonly Edit[] = [
  {
    file: "shared/products/activities.ts",
    from: '  stays_count: { column: "stays_count" },',
    to: '  stays_count: { column: "stays_count" },\n  max_stays_count: { column: "stays_count", overHours: "maximum" },',
  },
];

const filesOf = (changes: readonly (Edit | Addition)[]) => new Set(changes.map(({ file }) => file)).size;

it("adding a measure touches one file, a column with a measure three, and a product four", () => {
  expect([MEASURE, COLUMN, PRODUCT].map(filesOf)).toEqual([1, 3, 4]);
});

describe("an added product, measure and column", () => {
  const DATE = new Date(Date.now() - 3 * 86_400_000).toISOString().slice(0, 10);
  const DAY = { start_time: `${DATE}T00:00:00+02:00`, end_time: `${DATE}T23:00:00+02:00`, country_code: "EST" };
  const VISITS = { agg_type: "visits", measure: "visits", geo_type: "admin_level_2", ...DAY };
  const bucket = `${new Date(Date.parse(`${DATE}T00:00:00+02:00`)).toISOString().slice(0, 19)}Z`;
  let copy: Overlay;
  let data: string;
  let service: PersistentService;
  let key: string;

  const node = (...args: readonly string[]): string =>
    execFileSync(process.execPath, ["--disable-warning=ExperimentalWarning", ...args], { cwd: copy.root, encoding: "utf8" });
  const importCsv = (table: string, ...lines: readonly string[]): string => {
    const file = join(data, `${table}.csv`);
    writeFileSync(file, `${lines.join("\n")}\n`);
    return node("scripts/import.ts", table, "--file", file, "--state", service.state);
  };
  const ask = async (method: "GET" | "POST", path: string, body?: unknown): Promise<unknown> => {
    const reply = await service.request(service.ready.data_base_url + path, { key, method, ...(body === undefined ? {} : { body }) });
    expect(reply.status, JSON.stringify(reply.body)).toBeLessThan(300);
    return reply.body;
  };
  const resultsOf = async (body: object): Promise<unknown> => {
    const { job_id: id } = v.parse(v.looseObject({ job_id: v.string() }), await ask("POST", "/data-agg", body));
    for (;;) {
      const results = v.parse(v.looseObject({ status: v.string() }), await ask("GET", `/data-agg/results/${id}`));
      if (results.status === "completed") return results;
      await wait(50);
    }
  };

  beforeAll(async () => {
    copy = overlay([...PRODUCT, ...COLUMN, ...MEASURE]);
    data = mkdtempSync(join(tmpdir(), "populus-new-product-"));
    node("scripts/generate.ts");
    service = await startPersistent(join(data, "service"), { args: ["--days", "4"], shell: `cd ${copy.root} &&` });
    key = service.ready.customers[0]?.keys.storage ?? "";
    importCsv(
      "visits_daily",
      "country_code,geo_type,geo_id,time_bucket,visits,devices",
      `EST,admin_level_2,784,${bucket},70,60`,
      `EST,admin_level_2,793,${bucket},9,2`,
    );
  });

  afterAll(async () => {
    await service?.stop();
    copy?.remove();
    rmSync(data, { recursive: true, force: true });
  });

  it("compile with everything that uses the catalogue", () => {
    expect(execFileSync(join(copy.root, "node_modules/.bin/tsc"), ["--checkers", "1"], { cwd: copy.root, encoding: "utf8" })).toBe("");
  });

  it("are in the OpenAPI document", async () => {
    const document = JSON.stringify(await ask("GET", "/openapi.json"));
    expect(document).toContain('"const":"visits"');
    expect(document).toMatch(/"max_stays_count".*"stays_abroad"|"stays_abroad".*"max_stays_count"/);
  });

  it("have a synchronous preview of the published rows", async () => {
    const answer = await ask("GET", `/data-agg?${new URLSearchParams(VISITS)}`);
    expect(answer).toMatchObject({
      agg_type: "visits",
      results: [{ batch_date: DATE, geo_id: 784, visits: 80 }],
      meta: { suppressed_rows: null, k: 5, step: 20 },
      data_versions: [{ batch_date: DATE, version: 1 }],
    });
  });

  it("run as jobs with a preview and with an export", async () => {
    expect(await resultsOf(VISITS)).toMatchObject({ preview: [{ batch_date: DATE, geo_id: 784, visits: 80 }], total_rows: 1 });
    const exported = await resultsOf({ ...VISITS, full: true });
    expect(exported).toMatchObject({ total_rows: 1, gs_uri: expect.stringMatching(/\/visits_daily_visits\/$/) });
  });

  it("appear in estimates, job lists and data availability", async () => {
    expect(await ask("POST", "/data-agg/estimate", VISITS)).toMatchObject({ estimated_rows_max: expect.any(Number) });
    expect(await ask("GET", "/data-agg/jobs?agg_type=visits")).toMatchObject({ jobs: [{ agg_type: "visits" }, { agg_type: "visits" }] });
    expect(await ask("GET", "/data-availability?dataset=visits&country_code=EST")).toMatchObject({
      results: [{ table_name: "visits_daily", batch_date: DATE, total_rows: 1 }],
    });
  });

  it("are rejected, with the allowed values, if the country does not offer them", async () => {
    const body = { ...VISITS, country_code: "EST", geo_type: "grid_250m" };
    const reply = await service.request(`${service.ready.data_base_url}/data-agg`, { key, body });
    expect(reply).toMatchObject({ status: 400, body: { errors: [{ pointer: "/geo_type", allowed: ["admin_level_2"] }] } });
  });

  it("count a new column as 0 in earlier rows, and with its value in later rows", async () => {
    const cell = 51_520_004_124_000;
    const request = { agg_type: "activities", activity_type: "hourly", geo_type: "grid_1000m", geo_ids: [cell], ...DAY };
    const before = await resultsOf({ ...request, measure: "stays_abroad" });
    expect(before).toMatchObject({ preview: expect.arrayContaining([expect.objectContaining({ geo_id: cell, stays_abroad: 0 })]) });
    const hour = `${DATE}T10:00:00Z`;
    // More than a step: within one, the published 0 stays.
    importCsv(
      "activities_hourly",
      "country_code,geo_type,geo_id,time_bucket,people,stays_count,stays_dwell_minutes,stays_devices,stays_abroad,devices",
      `EST,grid_1000m,${cell},${hour},100,9,90,7,57,60`,
    );
    expect(await resultsOf({ ...request, measure: "stays_abroad" })).toMatchObject({ preview: [{ stays_abroad: 60 }] });
    expect(await resultsOf({ ...request, activity_type: "daily", measure: "max_stays_count" })).toMatchObject({
      preview: [{ max_stays_count: 5 }],
    });
  });
});
