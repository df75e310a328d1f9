import { mkdtempSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import * as v from "valibot";
import { awaitSample } from "../../infra/local/await-sample.ts";
import { parseOptions } from "../../infra/local/options.ts";
import type { Ready } from "../../infra/local/ready-file.ts";
import { startService } from "../../infra/local/service.ts";
import { countries } from "../../shared/countries/countries.ts";
import type { CountryRules } from "../../shared/countries/country-rules.ts";
import { openWarehouse, type Warehouse } from "../../shared/google/bigquery.ts";
import { statement } from "../../shared/google/statement.ts";
import { previewStatement, summaryStatement } from "../../shared/products/product-query.ts";
import type { StoredRequest } from "../../shared/products/request-fields.ts";
import { findRoadLink } from "../../shared/products/road-link.ts";
import { queryOf } from "../../shared/products/testing/query-of.ts";
import { parseConfig } from "../../shared/runtime/config.ts";
import { quantile, report, timed } from "./measure.ts";
import { runJob } from "./run-job.ts";

const RUNS = 60;
const WARM_UP = 5;
const IDS = 50;

interface Candidate {
  readonly what: string;
  /** Sends the customer's request. */
  readonly call: () => Promise<unknown>;
  /** Runs only its statements, through the same client. */
  readonly bare: () => Promise<unknown>;
}

export const PREVIEW_OPTIONS = { scale: { type: "string", default: "1" }, days: { type: "string", default: "365" } } as const;

/**
 * Measures previews of each product through the running service, against only their statements through the same client. Activities and Flow
 * are synchronous, the matrix is a job. `--scale` and `--days` (default: a year) set the amount of data.
 */
export async function benchPreview(values: Readonly<Record<keyof typeof PREVIEW_OPTIONS, string>>): Promise<void> {
  const state = mkdtempSync(join(tmpdir(), "populus-bench-"));
  const engines = process.env.POPULUS_ENGINES ?? "embedded";
  console.error(`Generating ${values.days} days of data at scale ${values.scale} …`);
  const service = await startService(
    parseOptions(["--state", state, "--engines", engines, "--no-schedule", "--scale", values.scale, "--days", values.days]),
    () => undefined,
  );
  await awaitSample(service, (line) => console.error(line));
  try {
    Object.assign(process.env, service.environment);
    const warehouse = openWarehouse(parseConfig(process.env));
    const rows = await rowCount(warehouse);
    for (const candidate of await candidates(service.ready, warehouse, Math.ceil(Number(values.days) / 2))) {
      const times: { service: number[]; bare: number[] } = { service: [], bare: [] };
      for (let run = -WARM_UP; run < RUNS; run++) {
        const bare = await timed(candidate.bare);
        const whole = await timed(candidate.call);
        if (run < 0) continue;
        times.bare.push(bare);
        times.service.push(whole);
      }
      const [p50, p95] = [quantile(times.service, 0.5), quantile(times.service, 0.95)];
      const [bare50, bare95] = [quantile(times.bare, 0.5), quantile(times.bare, 0.95)];
      report({
        bench: "preview",
        what: candidate.what,
        days: Number(values.days),
        scale: Number(values.scale),
        fact_rows: rows,
        runs: RUNS,
        p50_ms: p50,
        p95_ms: p95,
        bare_p50_ms: bare50,
        bare_p95_ms: bare95,
        less_the_query_ms: p50 - bare50,
        ratio: p50 / bare50,
        ratio_p95: p95 / bare95,
        load: loadavg()[0],
      });
    }
  } finally {
    await service.stop();
    rmSync(state, { recursive: true, force: true });
  }
}

/** `daysAgo`: the requested day. */
async function candidates(ready: Ready, warehouse: Warehouse, daysAgo: number): Promise<Candidate[]> {
  const key = ready.customers[0]?.keys.storage ?? "";
  const day = 86_400_000;
  const date = (daysAgo: number): string => new Date(Math.floor(Date.now() / day - daysAgo) * day).toISOString();
  const common = { country_code: "EST", start_time: date(daysAgo), end_time: date(daysAgo - 1), full: false, format: "csv" } as const;
  const get = async (parameters: Record<string, string>): Promise<unknown> => {
    const { country_code, start_time, end_time } = common;
    const query = new URLSearchParams({ country_code, start_time, end_time, ...parameters });
    const answer = await fetch(`${ready.data_base_url}/data-agg?${query}`, { headers: { "x-api-key": key } });
    const body: unknown = await answer.json();
    if (!answer.ok) throw new Error(JSON.stringify(body));
    return body;
  };
  const bareOf = <Request extends StoredRequest>(request: Request, ofQuery = previewStatement): Promise<unknown> =>
    warehouse.query(ofQuery(queryOf(request, countries())), { customer: "all" });
  const geo_ids = await busiestCells(warehouse, common.start_time.slice(0, 10));
  const activities = { agg_type: "activities", measure: "sum_unique_people", activity_type: "hourly", geo_type: "grid_1000m" } as const;
  const point = { lat: 59.437, lon: 24.7454 };
  const flow = { ...common, agg_type: "flow", measure: "people", activity_type: "hourly", ...point } as const;
  const types = { origin_geo_type: "grid_1000m", destination_geo_type: "grid_1000m" } as const;
  const odm = { agg_type: "odm", measure: "trips", activity_type: "daily", ...types, ...common } as const;
  return [
    {
      what: `activities at once, ${IDS} cells`,
      call: () => get({ ...activities, geo_ids: geo_ids.join(",") }),
      bare: () => bareOf({ ...common, ...activities, geo_ids }),
    },
    {
      what: "flow at once",
      call: () => get({ agg_type: "flow", lat: String(point.lat), lon: String(point.lon) }),
      bare: async () => bareOf({ ...flow, link: await findRoadLink(flow, estonia(), warehouse, { customer: "all" }) }),
    },
    {
      what: "odm, a job with a preview",
      call: () => runJob(ready, key, odm, 2),
      bare: () => bareOf({ ...odm, origin_geo_ids: null, destination_geo_ids: null }, (query) => summaryStatement(query, "first")),
    },
  ];
}

async function busiestCells(warehouse: Warehouse, date: string): Promise<number[]> {
  const sql = `SELECT geo_id FROM \`mobility.activities_daily\`
WHERE batch_date = @date AND country_code = "EST" AND geo_type = "grid_1000m" ORDER BY people DESC, geo_id LIMIT ${IDS}`;
  const cells = statement(v.object({ geo_id: v.number() }), sql, { date: { type: "DATE", value: date } });
  return (await warehouse.query(cells, { customer: "all" })).map(({ geo_id }) => geo_id);
}

async function rowCount(warehouse: Warehouse): Promise<number> {
  const sql = "SELECT SUM(row_count) AS fact_rows FROM `mobility.batches` WHERE batch_date IS NOT NULL";
  return (await warehouse.queryOne(statement(v.object({ fact_rows: v.number() }), sql, {}), { customer: "all" })).fact_rows;
}

function estonia(): CountryRules {
  const { EST } = countries();
  if (!EST) throw new Error("The table of countries has no Estonia");
  return EST;
}
