import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BigQuery } from "@google-cloud/bigquery";
import { OAuth2Client } from "google-auth-library";
import * as v from "valibot";
import builtIn from "../../infra/countries.json" with { type: "json" };
import { type BigQueryServer, startBigQuery } from "../../infra/local/bigquery/server.ts";
import { Identity, SCOPES } from "../../infra/local/identity.ts";
import { ObjectStore } from "../../infra/local/storage/object-store.ts";
import { makeTables } from "../../infra/local/tables.ts";
import { clientQuery } from "../../shared/google/bigquery.ts";
import { rowsOf } from "../../shared/google/statement.ts";
import { parseCountryTable } from "../../shared/products/countries.ts";
import { headcountsUpToTickStatement } from "../../shared/realtime/headcount-rows.ts";
import { headcountsStatement, newestTicksStatement } from "../../shared/realtime/headcounts.ts";
import { quantile, report, timed } from "./measure.ts";

const [PROJECT, LOCATION, COUNTRY] = ["demo-local", "europe-north1", "NOR"];
const COUNTRIES = parseCountryTable("infra/countries.json", builtIn);
/**
 * The only complete tick of presence: from today, since the warehouse expires old ones. Refreshes are a second apart, so that it never
 * gets stale.
 */
const MEASURED = Math.floor(Date.now() / 60_000) * 60_000;
const PRESENCE = 1_000_000;
/** The step of published people, and the least headcount. */
const STEP = 25;
const MAPS = [100, 1_000, 10_000];
const RUNS = 7;
const SINGLE_QUERIES = 50;
const BUDGETS = { budget_ms: 2000, budget_ratio_to_fewest: 3, budget_rss_mib: 512 };
const MEBIBYTE = 1024 * 1024;

const Finished = v.object({ statistics: v.object({ totalBytesProcessed: v.pipe(v.string(), v.transform(Number)) }) });

/** Measures the refresh of a tick for growing numbers of maps with 100 cells, against one query per map and against the fewest maps. */
export async function benchTick(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), "populus-bench-"));
  const identity = new Identity();
  identity.addAccount(`functions@${PROJECT}.iam.gserviceaccount.com`);
  const storage = await ObjectStore.open(join(directory, "storage"));
  const server = await startBigQuery({ project: PROJECT, identity, storage, tempDir: join(directory, "temp") });
  try {
    await makeTables(server);
    const authClient = new OAuth2Client();
    const { accessToken } = identity.mint(`functions@${PROJECT}.iam.gserviceaccount.com`, [SCOPES.cloudPlatform], 3600);
    authClient.setCredentials({ access_token: accessToken, expiry_date: Date.now() + 3_600_000 });
    await measure(server, new BigQuery({ projectId: PROJECT, location: LOCATION, apiEndpoint: `http://${server.address}`, authClient }));
  } finally {
    await server.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

async function measure(server: BigQueryServer, client: BigQuery): Promise<void> {
  const connection = await server.connection();
  const instant = `TIMESTAMPTZ '${new Date(MEASURED).toISOString()}'`;
  // A square of cells, a tenth of them withheld. The weights below are exact in binary, so sums do not depend on their order.
  const cell = (x: string, y: string): string => `(2000000 + 250 * (${x}))::BIGINT * 10000000 + 6400000 + 250 * (${y})`;
  await connection.run(`INSERT INTO realtime.presence BY NAME SELECT ${instant} AS tick, '${COUNTRY}' AS country_code,
    ${cell("i // 1000", "i % 1000")} AS cell_id, ${STEP} * (1 + hash(i) % 5)::BIGINT AS people FROM range(${PRESENCE}) AS cells(i) WHERE i % 20 >= 2`);
  await connection.run(`INSERT INTO mobility.batches BY NAME SELECT '${COUNTRY}' AS country_code, 'presence' AS table_name, ${instant} AS tick,
    1 AS version, ${PRESENCE} AS row_count, ${instant} AS loaded_at`);
  // The cells with network coverage, as in every deployment. They distinguish a map without people from one without network.
  await connection.run(`INSERT INTO mobility.geography_cells BY NAME SELECT '${COUNTRY}' AS country_code, 'grid_250m' AS geo_type,
    cell_id AS geo_id, cell_id, 1.0 AS weight FROM (SELECT ${cell("i // 1000", "i % 1000")} AS cell_id FROM range(${PRESENCE}) AS cells(i))`);
  let there = 0;
  let seconds = 0;
  let fewest = Number.NaN;
  for (const maps of MAPS) {
    await connection.run(`INSERT INTO realtime.monitored_maps BY NAME SELECT left(md5(m::VARCHAR), 20) AS map_id, 'bench_' || m % 16 AS uid, 'Map ' || m AS name,
      1 AS version, TRUE AS is_monitored, []::BIGINT[] AS geo_ids, sha256(m::VARCHAR) AS geometry_hash, 1 AS cell_parts, ${instant} AS appended_at
      FROM range(${there}, ${maps}) AS added(m)`);
    await connection.run(`INSERT INTO realtime.map_cells BY NAME SELECT 'bench_' || m % 16 AS uid, sha256(m::VARCHAR) AS geometry_hash, 0 AS part, 1 AS parts,
      '${COUNTRY}' AS country_code, ${instant} AS appended_at,
      [{cell_id: ${cell("hash(m)::HUGEINT % 990 + c // 10", "hash(m, 1)::HUGEINT % 990 + c % 10")}, weight: 1 - (c % 10) / 16.0} FOR c IN range(100)] AS cells
      FROM range(${there}, ${maps}) AS added(m)`);
    there = maps;
    const tick = (): Date => new Date(MEASURED + 1000 * ++seconds);
    // The first run also reads row widths to estimate bytes, so only its memory counts.
    const { peakMib, value: runs } = await peakOfProcess(async () => {
      const each: { ms: number; bytes: number }[] = [];
      for (let run = 0; run <= RUNS; run++) each.push(await runTick(client, tick()));
      return each.slice(1);
    });
    const ofTick = headcountsUpToTickStatement(new Date(MEASURED + 1000 * seconds), 1000);
    const [rows] = await client.query(clientQuery(ofTick));
    const counted = new Map(rowsOf(ofTick, rows).map((row) => [row.target_id, row.people_count]));
    if (counted.size !== maps) throw new Error(`${counted.size} of ${maps} maps were counted`);
    const single: number[] = [];
    for (const [map, people] of [...counted].slice(0, SINGLE_QUERIES)) single.push(await timed(() => checkSingle(client, map, people)));
    const times = runs.map((run) => run.ms);
    const ms = quantile(times, 0.5);
    if (Number.isNaN(fewest)) fewest = ms;
    const baseline = (maps * single.reduce((sum, time) => sum + time, 0)) / SINGLE_QUERIES;
    report({
      bench: "tick",
      maps,
      cells_of_a_map: 100,
      presence_cells: PRESENCE,
      runs: RUNS,
      refresh_p50_ms: ms,
      worst_ms: Math.max(...times),
      ratio_to_fewest: ms / fewest,
      bytes_processed: runs.at(-1)?.bytes,
      rss_growth_mib: peakMib,
      rss_of: "this process with its DuckDB, sampled every 5 ms in all runs, minus that before the first",
      single_query_p50_ms: quantile(single, 0.5),
      baseline_ms: baseline,
      baseline_extrapolated_from: SINGLE_QUERIES,
      ratio: ms / baseline,
      ...BUDGETS,
      met: ms <= BUDGETS.budget_ms && ms / fewest <= BUDGETS.budget_ratio_to_fewest && peakMib <= BUDGETS.budget_rss_mib,
    });
  }
  connection.closeSync();
}

/** Computes a tick like the service: reads the ledger, then runs the statement as a job. The bytes are those of the job. */
async function runTick(client: BigQuery, tick: Date): Promise<{ ms: number; bytes: number }> {
  const start = performance.now();
  const ticks = newestTicksStatement(tick);
  const [newest] = await client.query(clientQuery(ticks));
  const [job] = await client.createQueryJob(clientQuery(headcountsStatement(tick, COUNTRIES, rowsOf(ticks, newest))));
  await job.getQueryResults();
  const ms = performance.now() - start;
  const [metadata] = await job.getMetadata();
  return { ms, bytes: v.parse(Finished, metadata).statistics.totalBytesProcessed };
}

/** The baseline: counts one map with a separate query. Throws if the count differs from the refresh. */
async function checkSingle(client: BigQuery, map: string, expected: number): Promise<void> {
  const query = `WITH cells AS (
  SELECT cell.cell_id, cell.weight FROM (
    SELECT stored.cells FROM \`realtime.monitored_maps\` AS known
    JOIN \`realtime.map_cells\` AS stored ON stored.geometry_hash = known.geometry_hash
    WHERE known.map_id = @map ORDER BY known.version DESC LIMIT 1
  ) AS newest, UNNEST(newest.cells) AS cell
)
SELECT CAST(ROUND(SUM(cells.weight * presence.people)) AS INT64) AS people
FROM cells
JOIN \`realtime.presence\` AS presence ON presence.country_code = @country AND presence.cell_id = cells.cell_id
WHERE presence.tick = @tick`;
  const params = { map, country: COUNTRY, tick: BigQuery.timestamp(new Date(MEASURED)) };
  const [[row]] = await client.query({ query, params });
  if (row?.people !== expected) throw new Error(`${map} has ${row?.people} people, but the refresh counted ${expected}`);
}

/** Returns the process's peak memory while something ran, minus its memory before, in MiB. */
async function peakOfProcess<Value>(work: () => Promise<Value>): Promise<{ peakMib: number; value: Value }> {
  const before = process.memoryUsage.rss();
  let peak = before;
  const timer = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 5);
  try {
    return { value: await work(), peakMib: (Math.max(peak, process.memoryUsage.rss()) - before) / MEBIBYTE };
  } finally {
    clearInterval(timer);
  }
}
