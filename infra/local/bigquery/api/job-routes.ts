import { createHash, randomUUID } from "node:crypto";
import { open, rm } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { join } from "node:path";
import type { Job } from "../jobs/job.ts";
import { jobListItem, jobResource } from "../jobs/job-resource.ts";
import type { JobOptions, JobService } from "../jobs/job-service.ts";
import { findJob, listJobs } from "../jobs/known-jobs.ts";
import { queryAnswer, waitFor } from "../jobs/query-answer.ts";
import type { QueryEngine } from "../jobs/query-engine.ts";
import { BigQueryError, type TableRef } from "../model.ts";
import { tableName } from "../warehouse/catalog.ts";
import type { TimestampFormat } from "../wire/cells.ts";
import { assertMayChange, assertMayReadObject, assertMayRunJobs, assertMayUseReservation, type Caller } from "./caller.ts";
import type { ApiRequest, Route } from "./http.ts";
import { type JobInsert, JobInsertSchema, type LoadConfiguration } from "./job-requests.ts";
import { receiveUpload } from "./multipart.ts";
import { booleanOf, numberOf, pageOfList } from "./paging.ts";
import { parseRequest } from "./parse.ts";
import { type QueryRequest, QueryRequestSchema } from "./query-requests.ts";
import { toldParameters } from "./told-parameters.ts";

const WAIT_MS = 10_000;
const WAIT_MS_MAX = 200_000;

/** The routes under `jobs` and `queries`, and the upload of load jobs. */
export function jobRoutes(engine: QueryEngine, service: JobService): Route[] {
  const routes = new JobRoutes(engine, service);
  const jobs = "/projects/:project/jobs";
  return [
    { method: "POST", path: "/projects/:project/queries", handler: (request) => routes.query(request) },
    { method: "GET", path: "/projects/:project/queries/:id", handler: (request) => routes.results(request) },
    { method: "POST", path: jobs, handler: (request) => routes.insert(request) },
    { method: "GET", path: jobs, handler: (request) => routes.list(request) },
    { method: "GET", path: `${jobs}/:id`, handler: (request) => routes.get(request) },
    { method: "POST", path: `${jobs}/:id/cancel`, handler: (request) => routes.cancel(request) },
    { method: "POST", path: `/upload/bigquery/v2${jobs}`, upload: true, handler: (request) => routes.upload(request) },
  ];
}

class JobRoutes {
  readonly #engine: QueryEngine;
  readonly #service: JobService;

  constructor(engine: QueryEngine, service: JobService) {
    this.#engine = engine;
    this.#service = service;
  }

  async query({ caller, body }: ApiRequest): Promise<object> {
    assertMayRunJobs(caller, this.#engine.catalog.project);
    const request = parseRequest(QueryRequestSchema, body);
    const { location, labels, jobTimeoutMs, formatOptions, reservation } = request;
    assertMayUseReservation(caller, reservation);
    const options: JobOptions = { location, labels, jobTimeoutMs, reservation };
    const echo = configurationOf(request);
    if (request.dryRun) {
      const { work } = await this.#service.dryRun(caller, request, echo, options);
      const statistics = work.kind === "QUERY" ? work.statistics : undefined;
      return {
        kind: "bigquery#queryResponse",
        jobReference: { projectId: this.#engine.catalog.project },
        jobComplete: true,
        schema: { fields: statistics?.schema ?? [] },
        totalBytesProcessed: String(statistics?.totalBytesProcessed ?? 0),
        cacheHit: false,
      };
    }
    const key = requestKey(caller.principal.email, request);
    const known = key === undefined ? undefined : this.#engine.jobs.ofRequest(key);
    const job = known ?? (await this.#service.startQuery(caller, request, echo, { ...options, requestKey: key }));
    await waitFor(job, Math.min(request.timeoutMs ?? WAIT_MS, WAIT_MS_MAX));
    return queryAnswer(job, this.#engine.results, {
      kind: "bigquery#queryResponse",
      maxResults: request.maxResults,
      startIndex: undefined,
      pageToken: undefined,
      timestamps: timestampFormat(formatOptions.useInt64Timestamp ?? false, formatOptions.timestampOutputFormat),
      isJobOptional: request.jobCreationMode === "JOB_CREATION_OPTIONAL",
    });
  }

  async results(asked: ApiRequest): Promise<object> {
    const { query } = asked;
    const job = this.#find(asked);
    await waitFor(job, Math.min(numberOf(query, "timeoutMs") ?? WAIT_MS, WAIT_MS_MAX));
    return queryAnswer(job, this.#engine.results, {
      kind: "bigquery#getQueryResultsResponse",
      maxResults: numberOf(query, "maxResults"),
      startIndex: numberOf(query, "startIndex"),
      pageToken: query.get("pageToken") ?? undefined,
      timestamps: timestampFormat(
        booleanOf(query, "formatOptions.useInt64Timestamp"),
        query.get("formatOptions.timestampOutputFormat") ?? undefined,
      ),
    });
  }

  async insert({ caller, body, message }: ApiRequest): Promise<object> {
    assertMayRunJobs(caller, this.#engine.catalog.project);
    refuseOtherKinds(body);
    const request = parseRequest(JobInsertSchema, body);
    const { query, load, dryRun, reservation } = request.configuration;
    assertMayUseReservation(caller, reservation);
    if (load) return jobResource(await this.#insertLoad(caller, load, request), readsTables(message));
    if (!query)
      throw new BigQueryError("invalid", "Job configuration must contain exactly one job-specific configuration object, but there were 0.");
    const options = jobOptions(request);
    const { query: sql, queryParameters, defaultDataset, maximumBytesBilled } = query;
    const echo = configurationOf(query);
    const settings = { query: sql, queryParameters, defaultDataset, maximumBytesBilled };
    const job = dryRun
      ? await this.#service.dryRun(caller, settings, echo, options)
      : await this.#service.startQuery(caller, settings, echo, options);
    return jobResource(job, readsTables(message));
  }

  async #insertLoad(caller: Caller, load: LoadConfiguration, request: JobInsert): Promise<Job> {
    if (!load.sourceUris?.length) throw new BigQueryError("invalid", "Load configuration must specify at least one source URI");
    if (request.configuration.dryRun) throw new BigQueryError("invalid", "A load job cannot be dry run.");
    const target = this.#targetOf(caller, load);
    for (const uri of load.sourceUris) assertMayReadObject(caller, uri, this.#engine.landingBucket);
    return this.#service.startLoad(caller, load, jobOptions(request), target);
  }

  /** Returns the table that a load writes. Throws `accessDenied`. */
  #targetOf(caller: Caller, { destinationTable }: LoadConfiguration): TableRef {
    const { projectId = this.#engine.catalog.project, datasetId, tableId } = destinationTable;
    const target = { project: projectId, dataset: datasetId, table: tableId };
    for (const permission of ["bigquery.tables.create", "bigquery.tables.updateData"])
      assertMayChange(caller, target, permission, `Table ${tableName(target)}`);
    return target;
  }

  async upload({ caller, message }: ApiRequest): Promise<object> {
    assertMayRunJobs(caller, this.#engine.catalog.project);
    const file = join(this.#engine.uploads, `upload-${randomUUID()}`);
    try {
      const body = await receiveUpload(message, file);
      refuseOtherKinds(body);
      const request = parseRequest(JobInsertSchema, body);
      const { load, dryRun, reservation } = request.configuration;
      assertMayUseReservation(caller, reservation);
      if (!load || dryRun) throw new BigQueryError("invalid", "An upload needs the configuration of a load job.");
      const target = this.#targetOf(caller, load);
      if (this.#engine.persistence) await flush(file);
      return jobResource(await this.#service.startLoad(caller, load, jobOptions(request), target, file), readsTables(message));
    } catch (error) {
      await rm(file, { force: true });
      throw error;
    }
  }

  get(request: ApiRequest): object {
    return jobResource(this.#find(request), readsTables(request.message));
  }

  async cancel(request: ApiRequest): Promise<object> {
    const job = this.#find(request);
    await this.#service.cancel(job, "Job execution was cancelled: User requested cancellation");
    return { kind: "bigquery#jobCancelResponse", job: jobResource(job, readsTables(request.message)) };
  }

  list({ caller, query, message }: ApiRequest): object {
    const states = query.getAll("stateFilter").map((state) => state.toUpperCase());
    const of = booleanOf(query, "allUsers") ? "everybody" : "caller";
    const from = numberOf(query, "minCreationTime") ?? 0;
    const to = numberOf(query, "maxCreationTime") ?? Number.POSITIVE_INFINITY;
    const all = listJobs(this.#engine, caller, { of, parentId: query.get("parentJobId") ?? undefined }).filter(
      (job) => (states.length === 0 || states.includes(job.state)) && job.creationTime >= from && job.creationTime <= to,
    );
    const { items, next } = pageOfList(all, query);
    return { kind: "bigquery#jobList", jobs: items.map((job) => jobListItem(job, readsTables(message))), ...next };
  }

  #find({ caller, params, query }: ApiRequest): Job {
    return findJob(this.#engine, caller, params.id ?? "", query.get("location") ?? undefined);
  }
}

/**
 * Whether a client is told in which table a query's rows are: all but programs on Google's client for Python, which would then read them by the Storage Read API, at
 * Google. Told of no table, it asks for pages. dbt, which is built on it, reads pages anyway and asks the table for the number of its rows.
 */
function readsTables({ headers }: IncomingMessage): boolean {
  const program = String(headers["x-goog-api-client"]);
  return !program.includes("gl-python") || program.includes("dbt-bigquery-");
}

async function flush(path: string): Promise<void> {
  await using file = await open(path, "r+");
  await file.sync();
}

/** Throws for `copy` and `extract` jobs: BigQuery has them, this server does not. */
function refuseOtherKinds(body: unknown): void {
  const configuration = typeof body === "object" && body !== null && "configuration" in body ? body.configuration : undefined;
  if (typeof configuration !== "object" || configuration === null) return;
  for (const kind of ["copy", "extract"])
    if (kind in configuration)
      throw new BigQueryError("notImplemented", `Jobs of the kind ${kind} are not supported by the local BigQuery.`);
}

function jobOptions({ jobReference, configuration }: JobInsert): JobOptions {
  return {
    id: jobReference.jobId,
    location: jobReference.location,
    labels: configuration.labels,
    jobTimeoutMs: configuration.jobTimeoutMs,
    reservation: configuration.reservation,
  };
}

function configurationOf(
  request: Pick<QueryRequest, "query" | "queryParameters" | "parameterMode" | "defaultDataset" | "maximumBytesBilled">,
): object {
  const { query, queryParameters, parameterMode = "NAMED", defaultDataset, maximumBytesBilled } = request;
  return {
    query,
    useLegacySql: false,
    priority: "INTERACTIVE",
    ...(queryParameters.length > 0 ? { parameterMode: parameterMode.toUpperCase(), queryParameters: toldParameters(queryParameters) } : {}),
    ...(defaultDataset ? { defaultDataset } : {}),
    ...(maximumBytesBilled === undefined ? {} : { maximumBytesBilled: String(maximumBytesBilled) }),
  };
}

/** Returns the key under which two requests of a caller are the same: equal ids, and equal values of everything that decides the result. */
function requestKey(email: string, request: QueryRequest): string | undefined {
  if (request.requestId === undefined) return undefined;
  const { query, queryParameters, defaultDataset, maximumBytesBilled, location } = request;
  const content = JSON.stringify([query, queryParameters, defaultDataset, maximumBytesBilled, location]);
  return `${email} ${request.requestId} ${createHash("sha256").update(content).digest("base64url")}`;
}

function timestampFormat(useInt64: boolean, format: string | undefined): TimestampFormat {
  if (format === "ISO8601_STRING" || format === "INT64" || format === "FLOAT64") return format;
  return useInt64 ? "INT64" : "FLOAT64";
}
