import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { ExportSink } from "./export/sink.ts";
import { JobPersistence } from "./jobs/job-persistence.ts";
import { JOB_KEPT_MS, JobStore } from "./jobs/job-store.ts";
import type { QueryEngine } from "./jobs/query-engine.ts";
import { removeLeftovers, restoreJobs } from "./jobs/restore-jobs.ts";
import { ResultStore } from "./jobs/results.ts";
import { ByteEstimates } from "./warehouse/bytes.ts";
import { MetadataCatalog } from "./warehouse/catalog.ts";
import { Database } from "./warehouse/database.ts";
import { Definitions } from "./warehouse/definitions.ts";
import { DirectConnections } from "./warehouse/direct-connections.ts";
import { HeldTables, type Holding } from "./warehouse/held-tables.ts";
import { Locks } from "./warehouse/locks.ts";
import { MEMORY_LIMITS } from "./warehouse/memory-limits.ts";
import { StreamingBuffer } from "./warehouse/streaming-buffer.ts";

/** What a warehouse is opened with. */
export interface EngineOptions {
  readonly project: string;
  /** Where `EXPORT DATA` writes, and loads of `gs://` objects read. */
  readonly storage: ExportSink;
  /** The bucket whose objects loaders may load. Default: none. */
  readonly landingBucket?: string;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  /** The directory that persists all data between runs. Absent: memory only. */
  readonly dataDirectory?: string;
  /**
   * The directory for spilled data, and without a data directory also for uploads and results. Created if missing. Its files are removed on
   * close.
   */
  readonly tempDir: string;
  /** How many statements run concurrently (3). Each needs a thread of libuv's pool, which has 4. */
  readonly connections?: number;
  /** DuckDB's memory limit (`MEMORY_LIMITS`). Beyond it DuckDB spills to disk. */
  readonly memoryLimit?: string;
  /** Tables that others wait for until they are released (none). Resumed jobs wait too. */
  readonly holding?: Holding;
}

interface OpenEngine {
  readonly engine: QueryEngine;
  /** The connections of the process itself. */
  readonly direct: DirectConnections;
  /** Writes what is not on the disk yet, and closes the database. No job may run any more. */
  readonly close: () => Promise<void>;
}

/** Opens the warehouse. With a data directory it has the jobs of the last run, which are not resumed yet. */
export async function openEngine(options: EngineOptions): Promise<OpenEngine> {
  const { project, storage: sink, landingBucket, connections = 3, now = Date.now } = options;
  const { path, tempDir, uploads, resultsFolder, isKept } = await makeFolders(options);
  const memoryLimit = options.memoryLimit ?? (isKept ? MEMORY_LIMITS.onDisk : MEMORY_LIMITS.inMemory);
  const folders = [...new Set([tempDir, uploads, resultsFolder])];
  const database = await Database.open({ path, tempDir, folders, connections, memoryLimit });
  const catalog = await database.use((connection) => MetadataCatalog.open(connection, project));
  const direct = new DirectConnections(database);
  const estimates = new ByteEstimates(catalog, direct, database.threads);
  const results = new ResultStore(resultsFolder);
  const jobs = new JobStore(results, now);
  const { persistence, records } = isKept
    ? await JobPersistence.open(database, now() - JOB_KEPT_MS)
    : { persistence: undefined, records: [] };
  const engine: QueryEngine = {
    database,
    catalog,
    definitions: new Definitions(catalog, estimates, now),
    estimates,
    locks: new Locks(),
    held: new HeldTables(options.holding),
    jobs,
    persistence,
    results,
    sink,
    streamed: await StreamingBuffer.open(database, catalog),
    landingBucket,
    tempDir,
    uploads,
    now,
    changed: (ref) => {
      estimates.forget(ref);
      catalog.touch(ref, now());
    },
  };
  restoreJobs(records, jobs, results);
  if (isKept) await removeLeftovers(uploads, jobs, results);
  const close = async (): Promise<void> => {
    await persistence?.close();
    await database.checkpoint(1);
    await database.close();
    await rm(tempDir, { recursive: true, force: true });
  };
  return { engine, direct, close };
}

/** Makes the folders: those of the data directory, and one for what ends with the process. */
async function makeFolders({ dataDirectory, tempDir: parent }: EngineOptions) {
  await mkdir(parent, { recursive: true });
  const tempDir = await mkdtemp(join(resolve(parent), "bigquery-"));
  if (dataDirectory === undefined) return { path: ":memory:", tempDir, uploads: tempDir, resultsFolder: tempDir, isKept: false };
  const [uploads, resultsFolder] = [join(resolve(dataDirectory), "uploads"), join(resolve(dataDirectory), "results")];
  for (const folder of [uploads, resultsFolder]) await mkdir(folder, { recursive: true, mode: 0o700 });
  return { path: join(resolve(dataDirectory), "warehouse.duckdb"), tempDir, uploads, resultsFolder, isKept: true };
}
