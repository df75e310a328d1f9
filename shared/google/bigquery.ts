import { BigQuery, type Job, type QueryResultsOptions, type QueryRowsResponse } from "@google-cloud/bigquery";
import * as v from "valibot";
import type { Config } from "../runtime/config.ts";
import { abortable } from "../runtime/shutdown-signal.ts";
import { childSpan, traceLabel } from "../tracing/span.ts";
import { bigqueryClient } from "./bigquery-client.ts";
import { classifyError, isNotFound } from "./classify-error.ts";
import { Int64, JOB_BILL_FIELDS, JOB_STATE_FIELDS, JobBill, JobState } from "./job-answers.ts";
import { onlyRow, type Parameter, rowsOf, type Statement } from "./statement.ts";

/** The state of a warehouse job. `progress` is 0 to 100, computed from its stages. `reason` is BigQuery's error reason. */
export type Outcome<Row = unknown> =
  | { readonly state: "done"; readonly rows: readonly Row[] }
  | { readonly state: "running"; readonly progress: number }
  | { readonly state: "failed"; readonly reason: string; readonly message: string };

/** Job labels for billing and audit: the uid of the customer, or `all` for a query of all customers, and more. Names and values are lower case. */
export type Labels = Readonly<Record<string, string>> & { readonly customer: string };

/** The rows of a query, and the bytes that it was billed. */
interface BilledRows<Row> {
  readonly rows: readonly Row[];
  readonly bytesBilled: number;
}

/** What a job has taken: the bytes that it was billed, and the milliseconds from its creation to its end. */
export interface Bill {
  readonly bytes: number;
  readonly milliseconds: number;
  /** The rows that an EXPORT DATA has written to files. */
  readonly exportedRows?: number | undefined;
}

/** What a statement reads: bytes and number of tables. */
export interface ReadEstimate {
  readonly bytes: number;
  readonly tables: number;
}

export interface Warehouse {
  /** Starts a statement under the caller's job id, or attaches to the job with that id: the id is the lock. Throws the client's error. */
  readonly start: (jobId: string, statement: Statement, labels: Labels) => Promise<void>;
  /**
   * Waits for a statement's job, at most this long (1 ms or more). Returns `running` if `shutdownSignal` is aborted first.
   * Throws a `ValiError` if the rows do not match the statement's schema.
   */
  readonly wait: <Row>(
    jobId: string,
    statement: Statement<Row>,
    milliseconds: number,
    shutdownSignal?: AbortSignal,
  ) => Promise<Outcome<Row>>;
  /** Runs a small statement and returns its rows. Throws the client's error, or a `ValiError`. */
  readonly query: <Row>(statement: Statement<Row>, labels: Labels) => Promise<readonly Row[]>;
  /** Runs a small statement of at most this many billed bytes. Throws the client's error, or a `ValiError`. */
  readonly queryUpTo: <Row>(statement: Statement<Row>, labels: Labels, bytesBilledMax: number) => Promise<BilledRows<Row>>;
  /** Runs a small statement that returns exactly one row. */
  readonly queryOne: <Row>(statement: Statement<Row>, labels: Labels) => Promise<Row>;
  /** Returns the most that a statement would read, without running it. Throws the client's error. */
  readonly dryRun: (statement: Statement, labels: Labels) => Promise<ReadEstimate>;
  /** Returns what a job has taken: nothing if it was never started, undefined while it runs. */
  readonly bill: (jobId: string) => Promise<Bill | undefined>;
  /** Stops a job. Does nothing if the job is finished or was never started. */
  readonly cancel: (jobId: string) => Promise<void>;
}

const DryRun = v.object({
  statistics: v.object({ totalBytesProcessed: Int64, query: v.object({ referencedTables: v.optional(v.array(v.unknown()), []) }) }),
});

/** The client's answer to a query: the rows, the next page, and the answer of BigQuery. */
const QueryAnswer = v.looseTuple([
  v.array(v.unknown()),
  v.unknown(),
  v.object({
    totalBytesBilled: v.optional(Int64),
    totalBytesProcessed: v.optional(Int64, 0),
    jobReference: v.optional(v.object({ jobId: v.string() })),
  }),
]);

/**
 * Opens BigQuery. Every statement is sent with its parameters, its labels and `maximumBytesBilled`, and runs in the reservation of that full name
 * if there is one. Source: https://cloud.google.com/bigquery/docs/reservations-assignments#override_a_reservation_on_a_query
 */
export function openWarehouse(config: Config, { reservation }: { readonly reservation?: string | undefined } = {}): Warehouse {
  const { region: location, bytesBilledMax } = config;
  const bigquery = bigqueryClient(config, { location });
  // Whoever opens the warehouse early need not wait for its token then. What fails here fails again where it is needed.
  bigquery.authClient.getAccessToken().catch(() => undefined);
  const common = (statement: Statement, labels: Labels) => ({
    location,
    ...clientQuery(statement),
    maximumBytesBilled: String(bytesBilledMax),
    labels: { ...labels, ...traceLabel() },
    ...(reservation === undefined ? {} : { reservation }),
  });
  const billOf = async (jobId: string): Promise<Bill | undefined> => {
    const [metadata] = await bigquery.job(jobId, { location }).getMetadata({ fields: JOB_BILL_FIELDS });
    const { status, statistics } = v.parse(JobBill, metadata);
    if (status.state !== "DONE") return undefined;
    const { creationTime, endTime = creationTime, query, totalBytesProcessed } = statistics;
    const bytes = query.totalBytesBilled || totalBytesProcessed;
    return { bytes, milliseconds: endTime - creationTime, exportedRows: query.exportDataStatistics?.rowCount };
  };
  const queryUpTo: Warehouse["queryUpTo"] = async (statement, labels, most) => {
    const options = { ...common(statement, labels), maximumBytesBilled: String(Math.min(most, bytesBilledMax)), wrapIntegers: false };
    const answer: unknown = await spanOf("query", () => bigquery.query(options));
    const [rows, , { totalBytesBilled, totalBytesProcessed, jobReference }] = v.parse(QueryAnswer, answer);
    // Only the first answer tells the bill. A query that took longer was asked for again.
    const billed = totalBytesBilled ?? (jobReference ? (await billOf(jobReference.jobId))?.bytes : undefined);
    return { rows: rowsOf(statement, rows), bytesBilled: billed || totalBytesProcessed };
  };
  const query = async <Row>(statement: Statement<Row>, labels: Labels): Promise<readonly Row[]> => {
    const [rows] = await spanOf("query", () => bigquery.query({ ...common(statement, labels), wrapIntegers: false }));
    return rowsOf(statement, rows);
  };
  return {
    start: async (jobId, statement, labels) => {
      try {
        await spanOf("start query", () => bigquery.createQueryJob({ jobId, ...common(statement, labels) }), jobId);
      } catch (error) {
        if (classifyError(error) !== "alreadyExists") throw error;
      }
    },
    query,
    queryUpTo,
    queryOne: async (statement, labels) => onlyRow(await query(statement, labels)),
    dryRun: async (statement, labels) => {
      const [{ metadata }] = await bigquery.createQueryJob({ ...common(statement, labels), dryRun: true });
      const { statistics } = v.parse(DryRun, metadata);
      return { bytes: statistics.totalBytesProcessed, tables: statistics.query.referencedTables.length };
    },
    wait: async (jobId, statement, milliseconds, shutdownSignal) => {
      const job = bigquery.job(jobId, { location });
      return outcomeWith(statement, await spanOf("wait for query", () => outcomeOf(job, milliseconds, shutdownSignal), jobId));
    },
    bill: async (jobId) => {
      try {
        return await billOf(jobId);
      } catch (error) {
        if (isNotFound(error)) return { bytes: 0, milliseconds: 0 };
        throw error;
      }
    },
    cancel: async (jobId) => {
      try {
        await bigquery.job(jobId, { location }).cancel();
      } catch (error) {
        if (!isNotFound(error)) throw error;
      }
    },
  };
}

/** Runs a call as a span of BigQuery. The id of a job leads to its query there, which is labelled with the trace. */
function spanOf<T>(name: string, call: () => Promise<T>, jobId?: string): Promise<T> {
  const attributes = { "db.system.name": "gcp.bigquery", ...(jobId === undefined ? {} : { "gcp.bigquery.job": jobId }) };
  return childSpan({ name: `BigQuery: ${name}`, kind: "client", attributes }, call);
}

/** Returns the outcome with parsed rows. Throws a `ValiError` if they do not match the statement's schema: the job itself did not fail. */
export function outcomeWith<Row>(statement: Statement<Row>, outcome: Outcome): Outcome<Row> {
  return outcome.state === "done" ? { state: "done", rows: rowsOf(statement, outcome.rows) } : outcome;
}

async function outcomeOf(job: Job, milliseconds: number, shutdownSignal: AbortSignal | undefined): Promise<Outcome> {
  try {
    return { state: "done", rows: await abortable(resultsOf(job, { timeoutMs: milliseconds }), shutdownSignal) };
  } catch {
    if (shutdownSignal?.aborted) return { state: "running", progress: 0 };
    // The client throws both for an unfinished and for a failed job. The job's metadata says which.
    const [metadata] = await job.getMetadata({ fields: JOB_STATE_FIELDS });
    const { status, statistics } = v.parse(JobState, metadata);
    if (status.state !== "DONE") return { state: "running", progress: progressOf(statistics?.query?.queryPlan ?? []) };
    if (status.errorResult) return { state: "failed", ...status.errorResult };
    // The job finished between the two requests: its rows are available now.
    return { state: "done", rows: await resultsOf(job, {}) };
  }
}

/** Returns all rows of a job, page by page: the client's own paging makes a stream of them. */
async function resultsOf(job: Job, options: QueryResultsOptions): Promise<unknown[]> {
  const rows: unknown[] = [];
  let next: QueryResultsOptions | null | undefined = { ...options, wrapIntegers: false, autoPaginate: false };
  while (next) {
    const [page, following]: QueryRowsResponse = await job.getQueryResults(next);
    rows.push(...page);
    next = following;
  }
  return rows;
}

/** Returns the percentage of planned inputs completed. Too high while stages are still unplanned, so callers never let it decrease. */
function progressOf(stages: readonly { readonly parallelInputs: string; readonly completedParallelInputs: string }[]): number {
  const planned = stages.reduce((sum, stage) => sum + Number(stage.parallelInputs), 0);
  const completed = stages.reduce((sum, stage) => sum + Number(stage.completedParallelInputs), 0);
  return planned === 0 ? 0 : (100 * completed) / planned;
}

/** Converts a statement to client options. The client sends NULL for a date or time passed as a string, so those use its own classes. */
export function clientQuery({ sql, parameters }: Pick<Statement, "sql" | "parameters">) {
  const entries = Object.entries(parameters);
  return {
    query: sql,
    params: Object.fromEntries(entries.map(([name, parameter]) => [name, clientValue(parameter)])),
    types: Object.fromEntries(entries.map(([name, { type }]) => [name, clientType(type)])),
  };
}

/** The client has the type of an array as an array of its elements' type. */
function clientType(type: Parameter["type"]): string | [string] {
  const element = /^ARRAY<(\w+)>$/.exec(type)?.[1];
  return element === undefined ? type : [element];
}

function clientValue({ type, value }: Parameter) {
  if (type === "DATE") return BigQuery.date(value);
  return type === "TIMESTAMP" ? BigQuery.timestamp(value) : value;
}
