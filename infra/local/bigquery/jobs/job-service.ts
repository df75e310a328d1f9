import { randomBytes } from "node:crypto";
import { readableDataset, roleOf } from "../../access.ts";
import type { Caller } from "../api/caller.ts";
import { type LoadConfiguration, LoadConfigurationSchema } from "../api/job-requests.ts";
import { parseRequest } from "../api/parse.ts";
import { type QueryConfiguration, QueryConfigurationSchema } from "../api/query-requests.ts";
import { asBigQueryError } from "../errors.ts";
import { runLoad } from "../load/load-job.ts";
import { BigQueryError, type TableRef } from "../model.ts";
import { datasetNotFound, tableNotFound } from "../warehouse/catalog.ts";
import { canonicalLocation, DEFAULT_LOCATION } from "../warehouse/locations.ts";
import { Job, type JobReference, type LoadStatistics, queryStatistics } from "./job.ts";
import { JobRunner } from "./job-runner.ts";
import { heldBy, type Plan, type Planner } from "./plan.ts";
import type { QueryEngine } from "./query-engine.ts";
import { assertLength } from "./query-length.ts";
import { type QueryParameters, queryParameters } from "./query-parameters.ts";
import { resultTable } from "./result-table.ts";
import { estimate, runQuery } from "./run-query.ts";
import type { RunnableQuery } from "./script.ts";

/** Options that all kinds of jobs share. */
export interface JobOptions {
  readonly id?: string | undefined;
  readonly location?: string | undefined;
  readonly labels: Readonly<Record<string, string>>;
  readonly jobTimeoutMs?: number | undefined;
  /** The full name of the reservation to run in, or `none`. */
  readonly reservation?: string | undefined;
  /** Identifies repetitions of the same request. */
  readonly requestKey?: string | undefined;
  /** Whether it is a job of the process itself, which waits for no held table. */
  readonly isOwn?: boolean;
}

/** The settings of a query, from `jobs.query` or `jobs.insert`. */
export type QuerySettings = Pick<QueryConfiguration, "query" | "queryParameters" | "defaultDataset" | "maximumBytesBilled">;

/** Starts jobs. Every job runs in the background and ends as DONE. With persistence, the next process resumes jobs that have not ended. */
export class JobService {
  readonly #engine: QueryEngine;
  readonly #planner: Planner;
  readonly #runner: JobRunner;

  constructor(engine: QueryEngine, planner: Planner) {
    this.#engine = engine;
    this.#planner = planner;
    this.#runner = new JobRunner(engine);
  }

  /**
   * Starts a query. An invalid text ends the job at once. Throws only for an invalid job id, invalid
   * parameters or a text that is too long, and `backendError`.
   */
  async startQuery(caller: Caller, settings: QuerySettings, configuration: object, options: JobOptions): Promise<Job> {
    assertLength(settings.query);
    const parameters = queryParameters(settings.queryParameters);
    const location = options.location === undefined ? undefined : canonicalLocation(options.location);
    const planned = this.#planOrError(caller, settings, parameters, location);
    const plan = planned instanceof BigQueryError ? undefined : planned;
    const statistics = queryStatistics(plan?.statementType ?? "SELECT", plan?.referencedTables ?? []);
    const jobLocation = plan?.location ?? location ?? DEFAULT_LOCATION;
    const job = this.#create(caller, jobLocation, { kind: "QUERY", configuration, statistics }, options);
    job.persisted.statements = plan?.statements.length ?? 0;
    await this.#runner.accept(job);
    if (planned instanceof BigQueryError) {
      this.#runner.run(job, () => Promise.reject(planned));
      await job.over;
      return job;
    }
    const query = { job, statistics, plan: planned, values: parameters.values, maximumBytesBilled: settings.maximumBytesBilled };
    const held = options.isOwn ? [] : heldBy(this.#engine.held, planned);
    this.#runner.run(job, () => this.#query(query, held));
    return job;
  }

  /** Returns what a query would do: its schema and its bytes. Nothing runs and no job is stored. Throws the errors of the query. */
  async dryRun(caller: Caller, settings: QuerySettings, configuration: object, options: JobOptions): Promise<Job> {
    assertLength(settings.query);
    const parameters = queryParameters(settings.queryParameters);
    const location = options.location === undefined ? undefined : canonicalLocation(options.location);
    const plan = this.#plan(caller, settings, parameters, location);
    const statistics = queryStatistics(plan.statementType, plan.referencedTables);
    await this.#engine.held.released(heldBy(this.#engine.held, plan));
    await readyResults(plan);
    await this.#engine.database.use(async (connection) => {
      await estimate(this.#engine, { statistics, plan, values: parameters.values, maximumBytesBilled: undefined }, connection);
      const [only] = plan.statements;
      if (plan.statements.length !== 1 || only === undefined || !("sql" in only)) return;
      if (only.kind === "select") statistics.schema = only.schema;
      (await parameters.values.prepare(connection, only.sql)).destroySync();
    });
    statistics.totalBytesBilled = 0;
    statistics.dryRun = true;
    const reference = { project: this.#engine.catalog.project, location: plan.location, id: options.id ?? newJobId() };
    const at = this.#engine.now();
    const work = { kind: "QUERY" as const, configuration, statistics };
    const { labels, reservation } = options;
    const job = new Job({ reference, owner: caller.principal.email, work, labels, creationTime: at, reservation });
    job.finish(at);
    return job;
  }

  /**
   * Starts a load of the objects that the configuration names, or of an uploaded file, which is removed when the job ends. Throws for an invalid
   * job id, or `backendError`.
   */
  async startLoad(caller: Caller, configuration: LoadConfiguration, options: JobOptions, target: TableRef, file?: string): Promise<Job> {
    const dataset = this.#engine.catalog.dataset(target.project, target.dataset);
    const location = options.location === undefined ? dataset?.location : canonicalLocation(options.location);
    const statistics: LoadStatistics = { inputFileBytes: 0, outputRows: 0, outputBytes: 0 };
    const job = this.#create(caller, location ?? DEFAULT_LOCATION, { kind: "LOAD", configuration, statistics }, options);
    job.persisted.statements = 1;
    if (file !== undefined) job.persisted.upload = file;
    await this.#runner.accept(job);
    this.#load(job, configuration, statistics, target);
    return job;
  }

  /** Resumes the jobs that an earlier process did not finish. The file of a load must still exist. */
  resume(jobs: readonly Job[]): void {
    for (const job of jobs.filter(({ state, parent }) => state !== "DONE" && parent === undefined)) {
      job.isResumed = true;
      if (job.persisted.cancelled !== undefined) job.stop(job.persisted.cancelled);
      try {
        this.#resume(job);
      } catch (error) {
        this.#runner.run(job, () => Promise.reject(asBigQueryError(error)));
      }
    }
  }

  #resume(job: Job): void {
    const { work, reference } = job;
    if (work.kind === "LOAD") {
      const configuration = parseRequest(LoadConfigurationSchema, work.configuration);
      const { projectId = reference.project, datasetId: dataset, tableId: table } = configuration.destinationTable;
      this.#load(job, configuration, work.statistics, { project: projectId, dataset, table });
      return;
    }
    const settings = parseRequest(QueryConfigurationSchema, work.configuration);
    const parameters = queryParameters(settings.queryParameters);
    const principal = { email: job.owner, scopes: [] };
    const role = roleOf(principal);
    const plan = this.#plan({ principal, role, onlyDataset: readableDataset(role) }, settings, parameters, reference.location);
    const { maximumBytesBilled } = settings;
    const query = { job, statistics: work.statistics, plan, values: parameters.values, maximumBytesBilled };
    this.#runner.run(job, () => this.#query(query, heldBy(this.#engine.held, plan)));
  }

  /** Runs a query when the held tables are released. */
  async #query(query: RunnableQuery, held: readonly string[]): Promise<void> {
    if (held.length > 0) await query.job.unlessStopped(this.#engine.held.released(held));
    await readyResults(query.plan);
    await runQuery(this.#engine, query);
  }

  #load(job: Job, configuration: LoadConfiguration, statistics: LoadStatistics, target: TableRef): void {
    const { location } = job.reference;
    this.#runner.run(job, async () => {
      const dataset = this.#engine.catalog.dataset(target.project, target.dataset);
      if (dataset && dataset.location !== location) {
        const { message } = datasetNotFound(target.project, target.dataset);
        throw new BigQueryError("notFound", `${message} was not found in location ${location}`);
      }
      await job.unlessStopped(this.#engine.held.ofTable(target));
      await runLoad(this.#engine, { job, statistics, configuration, target, file: job.persisted.upload });
    });
  }

  /** Asks a job to stop, also in a later process. Throws `backendError` if the request cannot be written. */
  async cancel(job: Job, why: string): Promise<void> {
    if (job.state === "DONE") return;
    job.persisted.cancelled = why;
    await this.#runner.keep(job);
    job.stop(why);
  }

  /** Writes the ends of jobs that could not be written before. */
  keepEnds(): Promise<void> {
    return this.#runner.keepEnds();
  }

  /** Stops running jobs and waits for them. With persistence, the next process resumes them. */
  close(): Promise<void> {
    return this.#runner.close();
  }

  /** Returns the plan of a query, or the error that its job ends with. */
  #planOrError(caller: Caller, settings: QuerySettings, parameters: QueryParameters, location: string | undefined): Plan | BigQueryError {
    try {
      return this.#plan(caller, settings, parameters, location);
    } catch (error) {
      const refusal = asBigQueryError(error);
      if (refusal.reason === "internalError") console.error(error);
      return refusal;
    }
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
      role: caller.role,
      email: caller.principal.email,
    });
  }

  #create(caller: Caller, location: string, work: Job["work"], options: JobOptions): Job {
    const reference: JobReference = { project: this.#engine.catalog.project, location, id: options.id ?? newJobId() };
    const { email } = caller.principal;
    const { labels, reservation } = options;
    const job = new Job({ reference, owner: email, work, labels, creationTime: this.#engine.now(), reservation });
    this.#engine.jobs.add(job);
    if (options.jobTimeoutMs !== undefined) job.persisted.timeoutMs = options.jobTimeoutMs;
    if (options.requestKey !== undefined) {
      job.persisted.requestKey = options.requestKey;
      this.#engine.jobs.rememberRequest(options.requestKey, job);
    }
    return job;
  }
}

/** Moves the results that a query reads to their files, where DuckDB reads them. Throws `notFound` for one that is gone. */
async function readyResults({ results }: Plan): Promise<void> {
  for (const { job, rows } of results) {
    await rows.spill();
    const table = resultTable(job);
    if (rows.isDisposed && table) throw tableNotFound(table);
  }
}

function newJobId(): string {
  return `job_${randomBytes(21).toString("base64url")}`;
}
