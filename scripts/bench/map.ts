import { mkdtempSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { BigQuery } from "@google-cloud/bigquery";
import * as v from "valibot";
import { parseOptions } from "../../infra/local/options.ts";
import type { Ready } from "../../infra/local/ready-file.ts";
import { startService } from "../../infra/local/service.ts";
import { findGeographiesStatement } from "../../shared/geographies/find.ts";
import { openWarehouse, type Warehouse } from "../../shared/google/bigquery.ts";
import { parseConfig } from "../../shared/runtime/config.ts";
import { quantile, report, timed } from "./measure.ts";

const RUNS = 10;
const CELLS = 260;
const BOUNDARIES = 2000;
const PAGE = 1000;
const BUDGETS = { activities: { budget_kb: 40 }, boundaries: { budget_ms: 500, budget_kb: 500 } } as const;

/** Two thousand boundaries of one type in a country without sample data: the administrative boundaries of the others, some twice. */
const COPIES = `INSERT INTO mobility.geographies (country_code, geo_type, geo_id, geo_name, lon, lat, geometry, west, south, east, north)
SELECT "LTU", "admin_level_4", ROW_NUMBER() OVER (ORDER BY copy, country_code, geo_type, geo_id), geo_name, lon, lat, geometry, west, south, east, north
FROM mobility.geographies CROSS JOIN UNNEST([1, 2]) AS copy
WHERE geo_type IN ("admin_level_2", "admin_level_4")
QUALIFY ROW_NUMBER() OVER (ORDER BY copy, country_code, geo_type, geo_id) <= ${BOUNDARIES}`;

/** The text of an answer. */
type Get = (path: string, query: Readonly<Record<string, string>>) => Promise<string>;

/** Measures the answers that a map in a browser draws: their time, and their size with gzip. */
export async function benchMap(): Promise<void> {
  const state = mkdtempSync(join(tmpdir(), "populus-bench-"));
  const service = await startService(
    parseOptions(["--state", state, "--engines", "embedded", "--no-schedule", "--days", "4"]),
    () => undefined,
  );
  await service.filled;
  try {
    Object.assign(process.env, service.environment);
    const operator = new BigQuery({
      projectId: service.ready.project,
      location: "europe-north1",
      apiEndpoint: service.ready.bigquery_endpoint,
    });
    await operator.query(COPIES);
    await benchActivities(getter(service.ready));
    await benchBoundaries(getter(service.ready), openWarehouse(parseConfig(process.env)));
  } finally {
    await service.stop();
    rmSync(state, { recursive: true, force: true });
  }
}

/** An Activities day of the first cells of a country, by column against by row. */
async function benchActivities(get: Get): Promise<void> {
  const day = (daysAgo: number): string => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10);
  const cells = v.parse(Page, JSON.parse(await get("/geographies", { country_code: "EST", geo_type: "grid_1000m", limit: String(CELLS) })));
  const query = {
    ...{ agg_type: "activities", country_code: "EST", measure: "sum_unique_people", activity_type: "hourly", geo_type: "grid_1000m" },
    ...{ geo_ids: cells.geographies.map(({ geo_id }) => geo_id).join(","), start_time: day(2), end_time: day(1) },
  };
  const answers = await Promise.all(["columns", "rows"].map((format) => get("/data-agg", { ...query, format })));
  const [columns = 0, rows = 0] = answers.map(kilobytes);
  const times = await timesOf(() => get("/data-agg", { ...query, format: "columns" }));
  report({
    bench: "map",
    what: `activities of a day, ${cells.geographies.length} cells, by column`,
    p50_ms: quantile(times, 0.5),
    gzip_kb: columns,
    baseline_gzip_kb: rows,
    baseline: "by row",
    ratio: columns / rows,
    ...BUDGETS.activities,
    met: cells.geographies.length === CELLS && columns <= BUDGETS.activities.budget_kb,
  });
}

/** All pages of the boundaries, against only their statements through the same client. */
async function benchBoundaries(get: Get, warehouse: Warehouse): Promise<void> {
  for (const format of ["geojson", "json"]) {
    const texts = await pages(get, format);
    const count = texts.reduce((sum, text) => sum + v.parse(Page, JSON.parse(text)).geographies.length, 0);
    const filters = { country: "LTU", geoType: "admin_level_4" } as const;
    const bare = await timesOf(async () => {
      for (const after of [undefined, PAGE]) await warehouse.query(findGeographiesStatement(filters, after, PAGE + 1), { customer: "all" });
    });
    const times = await timesOf(() => pages(get, format));
    const [ms, size] = [quantile(times, 0.5), texts.map(kilobytes).reduce((sum, kb) => sum + kb, 0)];
    report({
      bench: "map",
      what: `${count} boundaries as ${format}, ${texts.length} pages`,
      runs: RUNS,
      p50_ms: ms,
      worst_ms: Math.max(...times),
      gzip_kb: size,
      plain_kb: texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0) / 1000,
      bare_p50_ms: quantile(bare, 0.5),
      ratio: ms / quantile(bare, 0.5),
      load: loadavg()[0],
      ...BUDGETS.boundaries,
      met: count === BOUNDARIES && ms <= BUDGETS.boundaries.budget_ms && size <= BUDGETS.boundaries.budget_kb,
    });
  }
}

const Place = v.object({ geo_id: v.number() });
const Next = { next_cursor: v.nullable(v.string()) };
/** A page in either format. */
const Page = v.union([
  v.object({ geographies: v.array(Place), ...Next }),
  v.pipe(
    v.object({ features: v.array(v.object({ properties: Place })), ...Next }),
    v.transform(({ features, next_cursor }) => ({ geographies: features.map(({ properties }) => properties), next_cursor })),
  ),
]);

async function pages(get: Get, format: string): Promise<string[]> {
  const texts: string[] = [];
  const query = { country_code: "LTU", geo_type: "admin_level_4", limit: String(PAGE), format };
  let cursor: string | null = null;
  do {
    const text = await get("/geographies", { ...query, ...(cursor === null ? {} : { cursor }) });
    texts.push(text);
    cursor = v.parse(v.object(Next), JSON.parse(text)).next_cursor;
  } while (cursor !== null);
  return texts;
}

function getter(ready: Ready): Get {
  const key = ready.customers[0]?.keys.storage ?? "";
  return async (path, query) => {
    const answer = await fetch(`${ready.data_base_url}${path}?${new URLSearchParams(query)}`, { headers: { "x-api-key": key } });
    const text = await answer.text();
    if (!answer.ok) throw new Error(text);
    return text;
  };
}

function kilobytes(text: string): number {
  return gzipSync(text).length / 1000;
}

async function timesOf(work: () => Promise<unknown>): Promise<number[]> {
  await work();
  const times: number[] = [];
  for (let run = 0; run < RUNS; run++) times.push(await timed(work));
  return times;
}
