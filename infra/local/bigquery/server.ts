import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import type { Identity } from "../identity.ts";
import { type LocalServer, listen } from "../server.ts";
import { authenticator, type Caller } from "./api/caller.ts";
import { datasetRoutes } from "./api/dataset-routes.ts";
import { createApiServer, type Route } from "./api/http.ts";
import { jobRoutes } from "./api/job-routes.ts";
import { bufferRoutes, projectRoutes } from "./api/project-routes.ts";
import { tableRoutes } from "./api/table-routes.ts";
import type { ExportSink } from "./export/sink.ts";
import { JobPersistence } from "./jobs/job-persistence.ts";
import { JobService } from "./jobs/job-service.ts";
import { JOB_KEPT_MS, JobStore } from "./jobs/job-store.ts";
import { Planner } from "./jobs/plan.ts";
import type { QueryEngine } from "./jobs/query-engine.ts";
import { removeLeftovers, restoreJobs } from "./jobs/restore-jobs.ts";
import { ResultStore } from "./jobs/results.ts";
import { BigQueryError } from "./model.ts";
import { ByteEstimates } from "./warehouse/bytes.ts";
import { MetadataCatalog } from "./warehouse/catalog.ts";
import { Database } from "./warehouse/database.ts";
import { Definitions } from "./warehouse/definitions.ts";
import { DirectConnections } from "./warehouse/direct-connections.ts";
import { expire } from "./warehouse/expiry.ts";
import { HeldTables, type Holding } from "./warehouse/held-tables.ts";
import { Locks } from "./warehouse/locks.ts";
import { MEMORY_LIMITS } from "./warehouse/memory-limits.ts";
import { StreamingBuffer } from "./warehouse/streaming-buffer.ts";

export interface BigQueryOptions {
  /** 0 or absent: a free port. */
  readonly port?: number;
  readonly project: string;
  readonly identity: Identity;
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

export interface BigQueryServer extends LocalServer {
  /**
   * Runs work on a DuckDB connection for the process itself, for sample data. Tables are named "dataset"."table". Meanwhile, each query counts
   * the rows of the tables that it reads.
   */
  withConnection<Result>(work: (connection: DuckDBConnection) => Promise<Result>): Promise<Result>;
  /** Opens such a connection until the server closes. The caller closes it, or does not use it any more. */
  connection(): Promise<DuckDBConnection>;
  /** Runs a GoogleSQL script as the operator, also on held tables. Throws the error that the script ends with. */
  applyDdl(sql: string): Promise<void>;
  /** Lets others wait before they read or change tables, as `dataset.table`, until these are released. */
  hold(tables: readonly string[]): void;
  release(tables: readonly string[]): void;
  /** Removes expired tables and partitions. Also runs every minute. */
  expire(): Promise<void>;
  /** Empties the streaming buffer, as BigQuery does at some time within 90 minutes. */
  flush(): Promise<void>;
  /** The maintenance of every minute: runs `expire`, deletes old jobs and checkpoints the log. */
  tidy(): Promise<void>;
}

const EXPIRE_EVERY_MS = 60_000;

/** Serves BigQuery's REST API (v2) on DuckDB, on 127.0.0.1. */
export async function startBigQuery(options: BigQueryOptions): Promise<BigQueryServer> {
  const { project, identity, storage: sink, now = Date.now } = options;
  await mkdir(options.tempDir, { recursive: true });
  const tempDir = await mkdtemp(join(resolve(options.tempDir), "bigquery-"));
  const { dataDirectory, connections = 3 } = options;
  const folder = dataDirectory === undefined ? undefined : resolve(dataDirectory);
  const memoryLimit = options.memoryLimit ?? (folder === undefined ? MEMORY_LIMITS.inMemory : MEMORY_LIMITS.onDisk);
  const [path, uploads, resultsFolder] = folder
    ? [join(folder, "warehouse.duckdb"), join(folder, "uploads"), join(folder, "results")]
    : [":memory:", tempDir, tempDir];
  for (const made of [uploads, resultsFolder]) await mkdir(made, { recursive: true, mode: 0o700 });
  const folders = folder ? [tempDir, uploads, resultsFolder] : [tempDir];
  const database = await Database.open({ path, tempDir, folders, connections, memoryLimit });
  const catalog = await database.use((connection) => MetadataCatalog.open(connection, project));
  const direct = new DirectConnections(database);
  const estimates = new ByteEstimates(catalog, direct, database.threads);
  const results = new ResultStore(resultsFolder);
  const jobs = new JobStore(results, now);
  const { persistence, records } = folder
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
    landingBucket: options.landingBucket,
    tempDir,
    uploads,
    now,
    changed: (ref) => {
      estimates.forget(ref);
      catalog.touch(ref, now());
    },
  };
  const service = new JobService(engine, new Planner(engine));
  restoreJobs(records, jobs, results);
  if (folder) await removeLeftovers(uploads, jobs, results);
  service.resume(jobs.newestFirst().reverse());
  const ofProject = [...jobRoutes(engine, service), ...tableRoutes(engine), ...datasetRoutes(engine), ...bufferRoutes(engine.streamed)];
  const routes = [...projectRoutes(project), ...ofProject.map((route) => inProject(route, project))];
  const server = createApiServer(routes, authenticator(identity));
  const port = await listen(server, options.port);
  let expiring: Promise<void> = Promise.resolve();
  const expireNow = () => {
    expiring = expiring.catch(() => undefined).then(() => expire(engine));
    return expiring;
  };
  const tidy = async () => {
    await service.keepEnds();
    await expireNow();
    await engine.streamed.tidy(now());
    await persistence?.forget(now() - JOB_KEPT_MS);
    await database.checkpoint();
  };
  const timer = setInterval(() => void tidy().catch((error: unknown) => console.error(error)), EXPIRE_EVERY_MS).unref();

  return {
    address: `127.0.0.1:${port}`,
    withConnection: (work) => direct.use(work),
    connection: () => direct.open(),
    applyDdl: async (sql) => {
      const job = await service.startQuery(
        owner(project),
        { query: sql, queryParameters: [], defaultDataset: undefined, maximumBytesBilled: undefined },
        {},
        { labels: {}, isOwn: true },
      );
      await job.over;
      if (job.error) throw job.error;
    },
    hold: (tables) => engine.held.hold(tables),
    release: (tables) => engine.held.release(tables),
    expire: expireNow,
    flush: () => engine.streamed.flush(),
    tidy,
    async close() {
      clearInterval(timer);
      const closed = new Promise<void>((done) => server.close(() => done()));
      server.closeAllConnections();
      await Promise.allSettled([closed, service.close(), expiring]);
      await persistence?.close();
      await database.checkpoint(1);
      await database.close();
      await rm(tempDir, { recursive: true, force: true });
    },
  };
}

/** There is one project. Requests for any other are denied. */
function inProject(route: Route, project: string): Route {
  return {
    ...route,
    handler: (request) => {
      const requested = request.params.project;
      if (requested !== project)
        throw new BigQueryError(
          "accessDenied",
          `Access Denied: Project ${requested}: User does not have permission to use project ${requested}, or perhaps it does not exist.`,
        );
      return route.handler(request);
    },
  };
}

/** The caller used for the process's own queries. */
function owner(project: string): Caller {
  const principal = { email: `operator@${project}.iam.gserviceaccount.com`, scopes: [] };
  return { principal, role: { kind: "operator" }, onlyDataset: undefined };
}
