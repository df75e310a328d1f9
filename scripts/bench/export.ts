import { mkdtempSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import type { BigQuery } from "@google-cloud/bigquery";
import * as v from "valibot";
import { parseOptions } from "../../infra/local/options.ts";
import type { Ready } from "../../infra/local/ready-file.ts";
import { startService } from "../../infra/local/service.ts";
import { StatusResponse } from "../../shared/aggregation/job-schemas.ts";
import { ExportResults } from "../../shared/aggregation/result-schemas.ts";
import { warehouseJobIds } from "../../shared/aggregation/warehouse-job-ids.ts";
import { countries } from "../../shared/countries/countries.ts";
import { openWarehouse, type Warehouse } from "../../shared/google/bigquery.ts";
import { bigqueryClient } from "../../shared/google/bigquery-client.ts";
import type { ActivitiesRequest } from "../../shared/products/activities.ts";
import { dataVersionsStatement, exportStatement } from "../../shared/products/product-query.ts";
import { queryOf } from "../../shared/products/testing/query-of.ts";
import { parseConfig } from "../../shared/runtime/config.ts";
import { fillRows, isShare, ROWS_UNIT, requestOf } from "./export-rows.ts";
import { quantile, report } from "./measure.ts";
import { type Copied, type OwnCopy, openOwnCopy } from "./own-copy.ts";
import { peakMib, resetPeak } from "./process-memory.ts";
import { runJob } from "./run-job.ts";

/** Short runs are repeated more often. */
const RUNS = { csv: 3, json: 3, parquet: 9 } as const;
/** A long polling interval, since answering polls uses the same processors. */
const POLL_MS = 500;
const BUDGETS = { budget_ratio: 1.1, budget_growth_mib: 128 };

/** DuckDB's COPY options for each format: with the same compression, and without. */
const COPIES = {
  csv: { same: "FORMAT csv, HEADER, COMPRESSION gzip", none: "FORMAT csv, HEADER" },
  json: { same: "FORMAT json, COMPRESSION gzip", none: "FORMAT json" },
  parquet: { same: "FORMAT parquet, COMPRESSION snappy", none: "FORMAT parquet, COMPRESSION uncompressed" },
} as const;

const Milliseconds = v.pipe(v.string(), v.transform(Number));
const Times = v.object({ statistics: v.object({ creationTime: Milliseconds, endTime: Milliseconds }) });

export const EXPORT_OPTIONS = { rows: { type: "string", default: "10000000" }, "text-rows": { type: "string" } } as const;

interface ExportValues {
  readonly rows: string;
  readonly "text-rows"?: string | undefined;
}

/**
 * Measures export jobs through the whole running service, from submission to completion, against DuckDB's own COPY of the same query in
 * this process, and the memory of each process at a tenth of the rows and at all rows. `--rows N` sets their number, `--text-rows N` that of the
 * formats of text, which take ten times as long a row.
 */
export async function benchExport(values: ExportValues): Promise<void> {
  const rows = Number(values.rows);
  if (!(rows > 0 && rows % ROWS_UNIT === 0)) throw new Error(`--rows must be a multiple of ${ROWS_UNIT}`);
  const textShare = Number(values["text-rows"] ?? rows) / rows;
  if (!(textShare > 0 && textShare <= 1 && isShare(textShare / 10))) throw new Error("--text-rows must be tenths of --rows");
  const state = mkdtempSync(join(tmpdir(), "populus-bench-"));
  const engines = process.env.POPULUS_ENGINES ?? "embedded";
  const service = await startService(parseOptions(["--state", state, "--engines", engines, "--no-schedule"]), () => undefined);
  await service.filled;
  const own = await openOwnCopy();
  try {
    Object.assign(process.env, service.environment);
    const config = parseConfig(process.env);
    const client = bigqueryClient(config, { location: config.region });
    console.error(`Generating ${rows} rows, here and in the service …`);
    for (const warehouse of [client, own.client]) await fillRows(warehouse, rows);
    const bench = { ready: service.ready, client, warehouse: openWarehouse(config), own };
    for (const format of ["csv", "json"] as const) await measure(bench, format, { rows, share: textShare });
    await measure(bench, "parquet", { rows, share: 1 });
  } finally {
    await own.close();
    await service.stop();
    rmSync(state, { recursive: true, force: true });
  }
}

interface Bench {
  readonly ready: Ready;
  readonly client: BigQuery;
  readonly warehouse: Warehouse;
  readonly own: OwnCopy;
}

/** Measures a share of the warehouse's rows, and a tenth of it. */
async function measure(
  bench: Bench,
  format: ActivitiesRequest["format"],
  of: { readonly rows: number; readonly share: number },
): Promise<void> {
  const rows = of.rows * of.share;
  const [, ...few] = await byTurns(bench, requestOf(of.share / 10, format), rows / 10, 1 + RUNS[format]);
  const all = await byTurns(bench, requestOf(of.share, format), rows, RUNS[format]);
  const p50 = (of: (turn: Turn) => number): number => quantile(all.map(of), 0.5);
  const [job, statement, copy] = [p50((turn) => turn.jobMs), p50((turn) => turn.statementMs), p50((turn) => turn.copy.ms)];
  const uncompressed = p50((turn) => turn.uncompressed.ms);
  const peak = (turns: readonly Turn[], of: keyof Peaks): number => Math.max(...turns.map((turn) => turn.peaks[of]));
  const growth = (of: keyof Peaks): number => peak(all, of) - peak(few, of);
  report({
    bench: "export",
    format,
    rows,
    runs: RUNS[format],
    load: loadavg()[0],
    statement_p50_ms: statement,
    bytes: all[0]?.bytes,
    copy_p50_ms: copy,
    copy_bytes: all[0]?.copy.bytes,
    ratio: statement / copy,
    summary_p50_ms: p50((turn) => turn.summaryMs),
    job_p50_ms: job,
    ratio_of_job: job / copy,
    uncompressed_copy_p50_ms: uncompressed,
    uncompressed_bytes: all[0]?.uncompressed.bytes,
    ratio_to_uncompressed: statement / uncompressed,
    few_rows: rows / 10,
    cloud_peak_mib: [peak(few, "cloud"), peak(all, "cloud")],
    functions_peak_mib: [peak(few, "functions"), peak(all, "functions")],
    copy_peak_mib: [peak(few, "own"), peak(all, "own")],
    growth_mib: { cloud: growth("cloud"), functions: growth("functions"), copy: growth("own") },
    ...BUDGETS,
    met: statement / copy <= BUDGETS.budget_ratio && Math.max(growth("cloud"), growth("functions")) <= BUDGETS.budget_growth_mib,
  });
}

/** One job, one COPY with its compression and one without. */
interface Turn extends JobTimes {
  readonly copy: Copied;
  readonly uncompressed: Copied;
  /** The peak memory of each process during its part, in MiB. */
  readonly peaks: Peaks;
}
type Peaks = Readonly<Record<"cloud" | "functions" | "own", number>>;

async function byTurns(bench: Bench, request: ActivitiesRequest, rows: number, count: number): Promise<Turn[]> {
  const { ready, warehouse, own } = bench;
  const query = queryOf(request, countries());
  // Both warehouses hold the same batches, and an export of other data versions has no rows.
  const { data_versions } = await warehouse.queryOne(dataVersionsStatement(query), { customer: "all" });
  const statement = exportStatement(query, data_versions, { format: request.format, bucket: "bucket", prefix: "part-" });
  const copyWith = async (options: string): Promise<Copied> => {
    const copied = await own.copy(statement, options);
    if (copied.rows !== rows) throw new Error(`${copied.rows} rows were copied, not ${rows}`);
    return copied;
  };
  const { same, none } = COPIES[request.format];
  const pids = { ...ready.pids, own: process.pid };
  const turns: Turn[] = [];
  while (turns.length < count) {
    for (const pid of Object.values(pids)) resetPeak(pid);
    const copy = await copyWith(same);
    const peakOfCopy = peakMib(pids.own);
    const job = await timedJob(bench, request, rows);
    const peaks = { cloud: peakMib(pids.cloud), functions: peakMib(pids.functions), own: peakOfCopy };
    turns.push({ ...job, copy, uncompressed: await copyWith(none), peaks });
  }
  return turns;
}

interface JobTimes {
  /** The time from submission to the end, from the job's status. */
  readonly jobMs: number;
  /** The warehouse's time for the counts before the export, and for the export itself. */
  readonly summaryMs: number;
  readonly statementMs: number;
  readonly bytes: number;
}

/** Runs a job through the service. Throws unless it exported this many rows. */
async function timedJob({ ready, client }: Bench, { geo_ids: _all, ...body }: ActivitiesRequest, rows: number): Promise<JobTimes> {
  const key = ready.customers[0]?.keys.storage ?? "";
  const get = async (path: string): Promise<unknown> => (await fetch(ready.data_base_url + path, { headers: { "x-api-key": key } })).json();
  const id = await runJob(ready, key, body, POLL_MS);
  const { created_at, finished_at } = v.parse(StatusResponse, await get(`/data-agg/status/${id}`));
  const { total_rows, files } = v.parse(ExportResults, await get(`/data-agg/results/${id}`));
  if (total_rows !== rows) throw new Error(`${total_rows} rows were exported, not ${rows}`);
  const took = async (jobId: string): Promise<number> => {
    const [metadata] = await client.job(jobId).getMetadata();
    const { creationTime, endTime } = v.parse(Times, metadata).statistics;
    return endTime - creationTime;
  };
  const ids = warehouseJobIds({ id, attempt: 1 });
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  const jobMs = Date.parse(finished_at ?? "") - Date.parse(created_at);
  return { jobMs, summaryMs: await took(ids.summary), statementMs: await took(ids.exported), bytes };
}
