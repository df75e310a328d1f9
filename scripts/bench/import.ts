import { mkdtempSync, rmSync, statSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance, quotedString } from "@duckdb/node-api";
import * as v from "valibot";
import { parseOptions } from "../../infra/local/options.ts";
import type { Ready } from "../../infra/local/ready-file.ts";
import { startService } from "../../infra/local/service.ts";
import { openTarget } from "../import/target.ts";
import { report } from "./measure.ts";
import { peakMib, resetPeak } from "./process-memory.ts";
import { watchProcess } from "./watched-process.ts";

export const IMPORT_OPTIONS = { rows: { type: "string", default: "50000000" } } as const;

const DAYS = 14;
/** Rows of one road link: both directions, every hour. */
const ROWS_OF_LINK = DAYS * 24 * 2;
/** A fifth of the rows has whole links, too. */
const ROWS_UNIT = ROWS_OF_LINK * 5;
const BUDGETS = { budget_ratio: 1.5, budget_growth_mib: 128 };

const LoadJob = v.object({
  configuration: v.object({ jobType: v.literal("LOAD") }),
  statistics: v.object({ endTime: v.pipe(v.string(), v.transform(Number)) }),
});

/**
 * Measures `npm run import` of a CSV file of flows into the running service, against DuckDB's own COPY of the file into a table of the same
 * columns, and the memory of each process at a fifth of the rows and at all rows. `--rows N` sets their number.
 *
 * The ratio is that of the time until the rows, each of their values checked, are in a table of the warehouse. What the load does then, replacing and
 * publishing whole batches in a transaction, has no counterpart in a COPY: `whole_ms` and `ratio_of_whole` have it, and `bench publish` measures it.
 */
export async function benchImport(values: Readonly<Record<keyof typeof IMPORT_OPTIONS, string>>): Promise<void> {
  const rows = Math.round(Number(values.rows) / ROWS_UNIT) * ROWS_UNIT;
  if (!(rows > 0)) throw new Error(`--rows must be at least ${ROWS_UNIT}`);
  const state = mkdtempSync(join(tmpdir(), "populus-bench-"));
  const engines = process.env.POPULUS_ENGINES ?? "embedded";
  const options = ["--state", state, "--data", join(state, "data"), "--engines", engines, "--no-schedule", "--days", "1"];
  const service = await startService(parseOptions(options), () => undefined);
  await service.filled;
  try {
    const bench = { ready: service.ready, state };
    const few = await measure(bench, "LTU", rows / 5);
    const all = await measure(bench, "LAT", rows);
    const growth = { import: all.importPeak - few.importPeak, cloud: all.cloudPeak - few.cloudPeak, copy: all.copyPeak - few.copyPeak };
    const ratio = all.stagedMs / all.copyMs;
    const missed = [
      ...(ratio > BUDGETS.budget_ratio ? ["time"] : []),
      ...(Math.max(growth.import, growth.cloud) > BUDGETS.budget_growth_mib ? ["memory"] : []),
    ];
    report({
      bench: "import",
      what: "CSV of flows",
      rows,
      bytes: all.bytes,
      load: loadavg()[0],
      read_ms: all.readMs,
      staged_ms: all.stagedMs,
      whole_ms: all.wholeMs,
      copy_ms: all.copyMs,
      rows_a_second: (rows / all.stagedMs) * 1000,
      ratio,
      ratio_of_whole: all.wholeMs / all.copyMs,
      few_rows: rows / 5,
      few_ratio: few.stagedMs / few.copyMs,
      import_peak_mib: [few.importPeak, all.importPeak],
      cloud_peak_mib: [few.cloudPeak, all.cloudPeak],
      copy_peak_mib: [few.copyPeak, all.copyPeak],
      growth_mib: growth,
      ...BUDGETS,
      met: missed.length === 0,
      ...(missed.length > 0 && { not_met: missed.join(", ") }),
    });
  } finally {
    await service.stop();
    rmSync(state, { recursive: true, force: true });
  }
}

/** Imports a file into a country that has no flows yet, and copies it. */
async function measure({ ready, state }: { readonly ready: Ready; readonly state: string }, country: string, rows: number) {
  const file = join(state, `${country}.csv`);
  console.error(`Writing a file of ${rows} rows …`);
  await writeFlows(file, country, rows);
  const copy = await watchProcess("bench/copy-into-table.ts", [file, join(state, `${country}.duckdb`)]);
  resetPeak(ready.pids.cloud);
  console.error("Importing it …");
  const imported = await watchProcess("import.ts", ["flows_hourly", "--file", file, "--state", state]);
  const read = imported.lines.find(({ text }) => text.includes(" rows, "));
  if (!read || !imported.lines.some(({ text }) => text.startsWith("Loaded")))
    throw new Error(imported.lines.map(({ text }) => text).join("\n"));
  const bytes = statSync(file).size;
  rmSync(file);
  rmSync(join(state, `${country}.duckdb`));
  return {
    bytes,
    readMs: read.ms,
    // All that the import does until then, the upload between reading and loading included.
    stagedMs: (await stagedAt(state)) - imported.startedAt,
    wholeMs: imported.ms,
    importPeak: imported.peakMib,
    cloudPeak: peakMib(ready.pids.cloud),
    copyMs: Number(copy.lines[0]?.text),
    copyPeak: copy.peakMib,
  };
}

/** Returns when the newest load job ended, milliseconds since the epoch: on this machine's clock, as the service runs here. */
async function stagedAt(stateDirectory: string): Promise<number> {
  // As the loader's account, which sees its own jobs.
  const { bigquery } = await openTarget({ target: { kind: "local", stateDirectory }, countriesFile: undefined });
  const [jobs] = await bigquery.getJobs({ maxResults: 50, autoPaginate: false });
  const loads = jobs.flatMap(({ metadata }) => {
    const parsed = v.safeParse(LoadJob, metadata);
    return parsed.success ? [parsed.output.statistics.endTime] : [];
  });
  if (loads.length === 0) throw new Error("The import has staged nothing");
  return Math.max(...loads);
}

/** Writes flows of road links, all hours of the last two weeks, in the order of a provider's file: link by link. */
async function writeFlows(file: string, country: string, rows: number): Promise<void> {
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  const first = new Date(Math.floor(Date.now() / 86_400_000 - DAYS - 1) * 86_400_000 + 21 * 3_600_000).toISOString().slice(0, 19);
  // Multiples of a large odd number modulo a power of two look random and are the same in every run.
  await connection.run(`COPY (
    SELECT
      '${country}' AS country_code, 1 + i // ${ROWS_OF_LINK} AS link_id,
      strftime(TIMESTAMP '${first}' + INTERVAL 1 HOUR * (i // 2 % ${DAYS * 24}), '%Y-%m-%dT%H:%M:%SZ') AS time_bucket,
      if(i % 2 = 0, 1, -1) AS direction, 3 * devices AS people, devices
    FROM (SELECT i, 1 + i * 2654435761 % 4294967296 // 100000000 AS devices FROM range(${rows}) AS numbers(i))
  ) TO ${quotedString(file)} (FORMAT csv, HEADER)`);
  connection.closeSync();
  instance.closeSync();
}
