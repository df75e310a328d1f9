import { randomUUID } from "node:crypto";
import { rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import type { Job } from "../jobs/job.ts";
import type { ExportOptions, Statement } from "../model.ts";
import type { ParameterValues } from "../sql/parameter-values.ts";
import { Destination } from "./destination.ts";
import { copyPlan } from "./formats.ts";
import { lineRanges } from "./line-ranges.ts";
import { moveFile, writeGzipParts, writePlainParts } from "./parts.ts";
import type { ExportSink } from "./sink.ts";

/** Uncompressed bytes per compressed file. Small enough that two processors share an export of millions of rows. */
const GZIP_PART_BYTES = 64 * 1024 * 1024;
/** The most that BigQuery writes into one file. */
const PLAIN_PART_BYTES = 1024 * 1024 * 1024;

export interface ExportEnvironment {
  readonly connection: DuckDBConnection;
  readonly values: ParameterValues;
  readonly sink: ExportSink;
  readonly tempDir: string;
  readonly job: Pick<Job, "creationTime" | "isResumed" | "statement">;
}

/**
 * Runs an `EXPORT DATA`. DuckDB writes the whole result, in order, to one temporary file on all its threads. Meanwhile, finished lines are
 * compressed, several files at a time. The files appear in the bucket together at the end, or not at all. Parquet is always one file.
 * Throws `duplicate` if files exist and `overwrite` is not set.
 */
export async function exportData(
  environment: ExportEnvironment,
  statement: Extract<Statement, { kind: "export" }>,
): Promise<{ readonly fileCount: number; readonly rowCount: number }> {
  const { options } = statement;
  const destination = new Destination(environment.sink, options);
  // An earlier process may have published some of this job's files, and this run may write a different number of files.
  if (environment.job.isResumed) await destination.removeSince(environment.job.creationTime);
  if (!options.overwrite) await destination.assertEmpty();
  const source = join(environment.tempDir, `export-${randomUUID()}`);
  try {
    const rowCount = await writeFiles(environment, statement, source, destination);
    return { fileCount: await destination.commit(), rowCount };
  } catch (error) {
    await destination.abort();
    throw error;
  } finally {
    await rm(source, { force: true });
  }
}

async function writeFiles(
  environment: ExportEnvironment,
  { sql, options, schema }: Extract<Statement, { kind: "export" }>,
  source: string,
  destination: Destination,
): Promise<number> {
  const { connection, values, job } = environment;
  const plan = copyPlan(schema, options);
  const copy = await values.prepare(
    connection,
    `COPY (SELECT ${plan.columns} FROM (${sql})) TO '${source.replaceAll("'", "''")}' (${plan.options})`,
  );
  const quoted = options.format === "CSV";
  let written = false;
  const copying = job
    .statement(() => copy.run())
    .then((result) => result.rowsChanged)
    .finally(() => {
      written = true;
      copy.destroySync();
    });
  if (isGzipText(options)) {
    const ranges = lineRanges(source, GZIP_PART_BYTES, quoted, () => written);
    const parting = writeGzipParts(source, ranges, plan.header, destination).catch((error: unknown) => {
      connection.interrupt();
      throw error;
    });
    const [rows, parts] = await Promise.allSettled([copying, parting]);
    if (parts.status === "rejected") throw parts.reason;
    if (rows.status === "rejected") throw rows.reason;
    return rows.value;
  }
  const rows = await copying;
  const { size } = await stat(source);
  if (options.format === "PARQUET" || size <= PLAIN_PART_BYTES) await moveFile(source, await destination.stage(0));
  else
    await writePlainParts(
      source,
      lineRanges(source, PLAIN_PART_BYTES, quoted, () => true),
      plan.header,
      destination,
    );
  return rows;
}

function isGzipText(options: ExportOptions): boolean {
  return options.compression === "GZIP" && options.format !== "PARQUET";
}
