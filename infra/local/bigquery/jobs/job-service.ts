import { randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import type { Caller } from "../api/caller.ts";
import type { LoadConfiguration } from "../api/job-requests.ts";
import type { QueryConfiguration } from "../api/query-requests.ts";
import { asBigQueryError, DetailedError } from "../errors.ts";
import { runLoad } from "../load/load-job.ts";
import { BigQueryError, type TableRef } from "../model.ts";
import { datasetNotFound } from "../warehouse/catalog.ts";
import { canonicalLocation, DEFAULT_LOCATION } from "../warehouse/locations.ts";
import { Job, type JobReference, type LoadStatistics, queryStatistics } from "./job.ts";
import { jobNotFound } from "./job-store.ts";
import type { Plan, Planner } from "./plan.ts";
import { type QueryParameters, queryParameters } from "./query-parameters.ts";
import { estimate, type QueryEngine, runQuery } from "./run-query.ts";

/** What every job may be given beside its own configuration. */
export interface JobOptions {
  readonly id?: string | undefined;
  readonly location?: string | undefined;
  readonly labels: Readonly<Record<string, string>>;
  readonly jobTimeoutMs?: number | undefined;
}

/** What of a query matters here, whichever method brought it. */
export type QuerySettings = Pick<QueryConfiguration, "query" | "queryParameters" | "defaultDataset" | "maximumBytesBilled">;

/** Starts jobs and finds them again; every job runs by itself and ends as DONE. */
export class JobService {
  readonly #engine: QueryEngine;
  readonly #planner: Planner;
  readonly #running = new Set<Promise<void>>();

  constructor(engine: QueryEngine, planner: Planner) {
    this.#engine = engine;
    this.#planner = planner;
  }

  /** Starts a query. What is wrong with its text ends the job at once; throws only for its id or its parameters' form. */
  startQuery(caller: Caller, settings: QuerySettings, configuration: object, options: JobOptions): Job {
    const parameters = queryParameters(settings.queryParameters);
    const location = options.location === undefined ? undefined : canonicalLocation(options.location);
    let plan: Plan | undefined;
    let fault: BigQueryError | undefined;
    try {
      plan = this.#plan(caller, settings, parameters, location);
    } catch (error) {
      fault = asBigQueryError(error);
      if (fault.reason === "internalError") console.error(error);
    }
    const statistics = queryStatistics(plan?.statementType ?? "SELECT", plan?.referencedTables ?? []);
    const place = plan?.location ?? location ?? DEFAULT_LOCATION;
    const job = this.#create(caller, place, { kind: "QUERY", configuration, statistics }, options);
    if (plan) {
      const query = { job, statistics, plan, bind: parameters.bind, maximumBytesBilled: settings.maximumBytesBilled };
      this.#run(job, options, () => runQuery(this.#engine, query));
    } else job.finish(this.#engine.now(), fault);
    return job;
  }

  /** What a query would do: its schema and its bytes; nothing runs and no job is kept. Throws what is wrong with it. */
  async dryRun(caller: Caller, settings: QuerySettings, configuration: object, options: JobOptions): Promise<Job> {
    const parameters = queryParameters(settings.queryParameters);
    const location = options.location === undefined ? undefined : canonicalLocation(options.location);
    const plan = this.#plan(caller, settings, parameters, location);
    const statistics = queryStatistics(plan.statementType, plan.referencedTables);
    await this.#engine.database.use(async (connection) => {
      await estimate(this.#engine, { statistics, plan, bind: parameters.bind, maximumBytesBilled: undefined }, connection);
      const [only] = plan.statements;
      if (plan.statements.length !== 1 || only === undefined || !("sql" in only)) return;
      if (only.kind === "select") statistics.schema = only.schema;
      (await parameters.bind(connection, only.sql)).destroySync();
    });
    statistics.totalBytesBilled = 0;
    statistics.dryRun = true;
    const reference = { project: this.#engine.catalog.project, location: plan.location, id: options.id ?? newJobId() };
    const at = this.#engine.now();
    const work = { kind: "QUERY" as const, configuration, statistics };
    const job = new Job({ reference, owner: caller.principal.email, work, labels: options.labels, creationTime: at });
    job.finish(at);
    return job;
  }

  /** Starts a load of an uploaded file, which is removed when the job is over. Throws for its id or its dataset. */
  startLoad(caller: Caller, configuration: LoadConfiguration, options: JobOptions, target: TableRef, file: string): Job {
    const dataset = this.#engine.catalog.dataset(target.project, target.dataset);
    const location = options.location === undefined ? dataset?.location : canonicalLocation(options.location);
    const statistics: LoadStatistics = { inputFileBytes: 0, outputRows: 0, outputBytes: 0 };
    const job = this.#create(caller, location ?? DEFAULT_LOCATION, { kind: "LOAD", configuration, statistics }, options);
    this.#run(job, options, async () => {
      try {
        if (dataset && dataset.location !== location) {
          const { message } = datasetNotFound(target.project, target.dataset);
          throw new BigQueryError("notFound", `${message} was not found in location ${location}`);
        }
        await runLoad(this.#engine, { job, statistics, configuration, target, file });
      } finally {
        await rm(file, { force: true });
      }
    });
    return job;
  }

  /** A job that the caller may know of: the service all, others their own. A job outside US and EU is found with its location only. Throws `notFound`. */
  find(caller: Caller, id: string, location: string | undefined): Job {
    const { project } = this.#engine.catalog;
    const locations = location === undefined ? ["US", "EU"] : [canonicalLocation(location)];
    for (const place of locations) {
      const job = this.#engine.jobs.get({ project, location: place, id });
      if (job && mayKnow(caller, job)) return job;
    }
    throw jobNotFound({ project, location: locations[0] ?? DEFAULT_LOCATION, id });
  }

  /** The caller's jobs (or, for the service, everybody's), newest first; the parts of a script only when its id is given. */
  list(caller: Caller, everybody: boolean, parentId: string | undefined): Job[] {
    return this.#engine.jobs
      .newestFirst()
      .filter(
        (job) => mayKnow(caller, job) && (everybody || job.owner === caller.principal.email) && job.parent?.reference.id === parentId,
      );
  }

  /** Stops what runs and waits for its end. */
  async close(): Promise<void> {
    for (const job of this.#engine.jobs.newestFirst()) job.stop("Job execution was cancelled: the server is shutting down");
    await Promise.allSettled([...this.#running]);
  }

  #plan(caller: Caller, settings: QuerySettings, parameters: QueryParameters, location: string | undefined): Plan {
    const { project } = this.#engine.catalog;
    const { defaultDataset } = settings;
    if (defaultDataset?.projectId !== undefined && defaultDataset.projectId !== project)
      throw datasetNotFound(defaultDataset.projectId, defaultDataset.datasetId);
    return this.#planner.plan({
      sql: settings.query,
      parameterTypes: parameters.types,
      defaultDataset: defaultDataset?.datasetId,
      location,
      onlyDataset: caller.onlyDataset,
    });
  }

  #create(caller: Caller, location: string, work: Job["work"], options: JobOptions): Job {
    const reference: JobReference = { project: this.#engine.catalog.project, location, id: options.id ?? newJobId() };
    const { email } = caller.principal;
    const job = new Job({ reference, owner: email, work, labels: options.labels, creationTime: this.#engine.now() });
    this.#engine.jobs.add(job);
    return job;
  }

  #run(job: Job, { jobTimeoutMs }: JobOptions, work: () => Promise<void>): void {
    const stop = () => job.stop(`Job execution was cancelled: Job timed out after ${Math.ceil((jobTimeoutMs ?? 0) / 1000)}s`);
    const timer = jobTimeoutMs === undefined ? undefined : setTimeout(stop, jobTimeoutMs);
    const running = work()
      .then(
        () => job.finish(this.#engine.now()),
        (thrown: unknown) => {
          const error = asBigQueryError(thrown);
          if (error.reason === "internalError") console.error(thrown);
          job.finish(this.#engine.now(), error, error instanceof DetailedError ? error.details : []);
        },
      )
      .finally(() => {
        clearTimeout(timer);
        this.#running.delete(running);
      });
    this.#running.add(running);
  }
}

function mayKnow(caller: Caller, job: Job): boolean {
  return caller.role.kind === "service" || job.owner === caller.principal.email;
}

function newJobId(): string {
  return `job_${randomBytes(21).toString("base64url")}`;
}
