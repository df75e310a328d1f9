import { createReadStream, createWriteStream } from "node:fs";
import { open, rename, rm, stat } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import type { DuckDBConnection } from "@duckdb/node-api";
import { isCorruptGzip } from "../../../../shared/google/gunzipped.ts";
import type { LoadConfiguration } from "../api/job-requests.ts";
import type { Job, LoadStatistics } from "../jobs/job.ts";
import type { QueryEngine } from "../jobs/query-engine.ts";
import { BigQueryError, type Field, type TableInfo, type TableRef } from "../model.ts";
import type { BackgroundThreads } from "../warehouse/background-threads.ts";
import { datasetNotFound, tableName, tableNotFound } from "../warehouse/catalog.ts";
import { inTransaction } from "../warehouse/database.ts";
import { csvFault } from "./csv-fault.ts";
import type { CsvFormat } from "./csv-source.ts";
import { loadCsv } from "./load-csv.ts";
import { loadJson } from "./load-json.ts";
import { loadParquet } from "./load-parquet.ts";
import { loadTarget } from "./load-target.ts";
import { copyObjects, type LoadedFile } from "./source-objects.ts";

/** A load job that is ready to run. `file` is the uploaded file; undefined for a load of objects. */
export interface RunnableLoad {
  readonly job: Job;
  readonly statistics: LoadStatistics;
  readonly configuration: LoadConfiguration;
  readonly target: TableRef;
  readonly file: string | undefined;
}

/** Loads an uploaded file, or objects, in one transaction: after any error the table is unchanged. The caller ends the job. */
export async function runLoad(engine: QueryEngine, load: RunnableLoad): Promise<void> {
  const { file, configuration } = load;
  if (file !== undefined) return runWith(engine, load, [{ path: file }]);
  const copies = await copyObjects(engine, configuration.sourceUris ?? []);
  try {
    await runWith(engine, load, copies);
  } finally {
    for (const { path } of copies) await rm(path, { force: true });
  }
}

async function runWith(engine: QueryEngine, load: RunnableLoad, files: readonly LoadedFile[]): Promise<void> {
  const { job, target, statistics } = load;
  statistics.inputFileBytes = 0;
  for (const { path } of files) statistics.inputFileBytes += (await stat(path)).size;
  const appends = engine.catalog.table(target) !== undefined && load.configuration.writeDisposition !== "WRITE_TRUNCATE";
  await engine.locks.holding([tableName(target), ...(appends ? [] : ["definitions"])], async () => {
    if (load.configuration.sourceFormat !== "PARQUET") for (const one of files) await gunzipInPlace(one);
    await engine.database.use((connection) =>
      job.interruptible(
        () => connection.interrupt(),
        async () => {
          job.start(engine.now());
          statistics.outputRows = await engine.database.threads.use(() => loadInto(engine, load, files, connection));
          const table = engine.catalog.table(target);
          if (table === undefined) return;
          engine.changed(target);
          const whole = await engine.estimates.ofTable(connection, table);
          statistics.outputBytes = whole.rows === 0 ? 0 : Math.round((whole.bytes / whole.rows) * statistics.outputRows);
        },
      ),
    );
  });
}

async function loadInto(
  engine: QueryEngine,
  load: RunnableLoad,
  files: readonly LoadedFile[],
  connection: DuckDBConnection,
): Promise<number> {
  const { configuration, target } = load;
  if (!engine.catalog.dataset(target.project, target.dataset)) throw datasetNotFound(target.project, target.dataset);
  const existing = engine.catalog.entry(target);
  await assertDispositions(engine, load, existing?.info, connection);
  const { table, fields } = loadTarget(target, existing?.info, configuration);
  let rows = 0;
  const fill = async () => {
    rows = 0;
    for (const file of files)
      rows += await load.job.statement(() => readFile(engine.database.threads, connection, load.configuration, file, table, fields));
    if (!engine.persistence) return;
    const { persisted } = load.job;
    load.statistics.outputRows = rows;
    persisted.committed = 1;
    try {
      await engine.persistence.keepWith(connection, load.job, engine.now());
      await engine.catalog.saveTouch(connection, target, engine.now());
    } finally {
      persisted.committed = 0;
    }
  };
  try {
    if (existing && configuration.writeDisposition !== "WRITE_TRUNCATE") await inTransaction(connection, fill);
    else {
      const { creationTime, expirationTime, labels } = existing ?? {};
      const extras = existing ? { ...(creationTime === undefined ? {} : { creationTime }), expirationTime, labels: labels ?? {} } : {};
      await engine.definitions.createTable(connection, table, { ifNotExists: false, replace: true }, extras, fill);
    }
  } catch (error) {
    load.job.throwIfStopped();
    const isCsv = configuration.sourceFormat === "CSV" && !(error instanceof BigQueryError);
    throw (isCsv ? await firstFault(connection, files, fields, csvFormat(configuration)) : undefined) ?? error;
  }
  load.job.persisted.committed = engine.persistence ? 1 : 0;
  return rows;
}

/** Throws unless the load may write the table as it is, or as it is not there yet. */
async function assertDispositions(
  { estimates }: QueryEngine,
  { configuration, target }: RunnableLoad,
  existing: TableInfo | undefined,
  connection: DuckDBConnection,
): Promise<void> {
  if (!existing && configuration.createDisposition === "CREATE_NEVER") throw tableNotFound(target);
  if (existing?.view !== undefined) throw new BigQueryError("invalid", `Cannot load into a table of type VIEW: ${tableName(target)}`);
  if (!existing || configuration.writeDisposition !== "WRITE_EMPTY") return;
  const { rows } = await estimates.ofTable(connection, existing);
  if (rows > 0) throw new BigQueryError("duplicate", `Already Exists: Table ${tableName(target)}`);
}

async function firstFault(
  connection: DuckDBConnection,
  files: readonly LoadedFile[],
  fields: readonly Field[],
  format: CsvFormat,
): Promise<BigQueryError | undefined> {
  for (const { path, uri } of files) {
    const fault = await csvFault(connection, path, fields, format, uri);
    if (fault) return fault;
  }
  return undefined;
}

function readFile(
  threads: BackgroundThreads,
  connection: DuckDBConnection,
  configuration: LoadConfiguration,
  file: LoadedFile,
  table: TableInfo,
  fields: readonly Field[],
): Promise<number> {
  switch (configuration.sourceFormat) {
    case "CSV":
      return loadCsv(connection, file.path, table, fields, csvFormat(configuration));
    case "NEWLINE_DELIMITED_JSON":
      return loadJson(connection, threads, file.path, table, configuration);
    case "PARQUET":
      return loadParquet(connection, file, table);
  }
}

function csvFormat(configuration: LoadConfiguration): CsvFormat {
  return configuration;
}

/**
 * Unpacks a gzip file. BigQuery accepts compressed text files without an option; the first two bytes identify them. Throws `invalid` for a corrupt one:
 * the next attempt would find the same.
 */
async function gunzipInPlace({ path: file, uri }: LoadedFile): Promise<void> {
  const handle = await open(file, "r");
  const { buffer } = await handle.read(Buffer.alloc(2), 0, 2, 0).finally(() => handle.close());
  if (buffer.readUInt16BE() !== 0x1f8b) return;
  const plain = `${file}.plain`;
  try {
    await pipeline(createReadStream(file), createGunzip(), createWriteStream(plain));
  } catch (error) {
    await rm(plain, { force: true });
    if (!isCorruptGzip(error)) throw error;
    const of = uri === undefined ? "" : ` File: ${uri}`;
    throw new BigQueryError("invalid", `Error while reading data, error message: Failed to decompress gzip: ${error.message}${of}`);
  }
  await rename(plain, file);
}
