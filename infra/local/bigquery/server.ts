import type { DuckDBConnection } from "@duckdb/node-api";
import type { Identity } from "../identity.ts";
import { type LocalServer, listen } from "../server.ts";
import { authenticator, type Caller } from "./api/caller.ts";
import { datasetRoutes } from "./api/dataset-routes.ts";
import { createApiServer, type Route } from "./api/http.ts";
import { jobRoutes } from "./api/job-routes.ts";
import { bufferRoutes, projectRoutes } from "./api/project-routes.ts";
import { tableRoutes } from "./api/table-routes.ts";
import { JobService } from "./jobs/job-service.ts";
import { JOB_KEPT_MS } from "./jobs/job-store.ts";
import { Planner } from "./jobs/plan.ts";
import { BigQueryError } from "./model.ts";
import { type EngineOptions, openEngine } from "./open-engine.ts";
import { expire } from "./warehouse/expiry.ts";

export interface BigQueryOptions extends EngineOptions {
  /** 0 or absent: a free port. */
  readonly port?: number;
  readonly identity: Identity;
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
  const { project, identity } = options;
  const { engine, direct, close: closeEngine } = await openEngine(options);
  const { database, persistence, now } = engine;
  const service = new JobService(engine, new Planner(engine));
  service.resume(engine.jobs.newestFirst().reverse());
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
      await closeEngine();
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
