import { JsonText } from "../api/http.ts";
import { BigQueryError } from "../model.ts";
import type { TimestampFormat } from "../wire/cells.ts";
import { withTimestamps } from "../wire/timestamps.ts";
import type { Job } from "./job.ts";
import { dmlResource, jobReference } from "./job-resource.ts";
import type { ResultSet, ResultStore } from "./results.ts";

/** The bytes of rows that BigQuery returns at once, and the most that it returns of one row. Source: https://cloud.google.com/bigquery/docs/paging-results */
const PAGE_BYTES_MAX = 10_000_000;
const ROW_BYTES_MAX = 20_000_000;

export interface PageRequest {
  readonly kind: "bigquery#queryResponse" | "bigquery#getQueryResultsResponse";
  readonly maxResults: number | undefined;
  readonly startIndex: number | undefined;
  readonly pageToken: string | undefined;
  readonly timestamps: TimestampFormat;
  /** Whether the answer names no job if it is the whole one, as BigQuery answers JOB_CREATION_OPTIONAL. */
  readonly isJobOptional?: boolean;
}

/** Waits for the job's end, at most `timeoutMs`. */
export async function waitFor(job: Job, timeoutMs: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, timeoutMs);
  try {
    await Promise.race([job.over, promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Returns a page of a query's rows, or a response with `jobComplete: false` while the job runs. Throws the job's error. */
export async function queryAnswer(job: Job, results: ResultStore, request: PageRequest): Promise<object> {
  const { kind } = request;
  if (job.state !== "DONE") return { kind, ...nameOfJob(job, request, "LONG_RUNNING"), jobComplete: false };
  if (job.error) throw job.error;
  if (job.work.kind !== "QUERY") throw new BigQueryError("invalid", "Cannot list the rows of a job that is not a query.");
  const { statistics } = job.work;
  const reason = statistics.statementType === "SCRIPT" ? "OTHER" : undefined;
  const complete = {
    jobComplete: true,
    cacheHit: false,
    totalBytesProcessed: String(statistics.totalBytesProcessed),
    ...(statistics.dml ? dmlResource(statistics.dml) : {}),
    ...(kind === "bigquery#queryResponse" ? queryTimes(job, statistics.totalBytesBilled) : {}),
  };
  const set = job.result;
  if (!set) return { kind, ...nameOfJob(job, request, reason), ...complete, totalRows: "0" };
  const start = request.pageToken === undefined ? (request.startIndex ?? 0) : startOfToken(job, request.pageToken);
  const rows = await pageOf(set, start, request);
  await results.touch(set);
  const end = start + rows.length;
  const isWhole = end >= set.totalRows;
  const meta = {
    kind,
    ...nameOfJob(job, request, isWhole ? reason : "LARGE_RESULTS"),
    ...complete,
    schema: { fields: set.fields },
    totalRows: String(set.totalRows),
    ...(isWhole ? {} : { pageToken: tokenOf(job, end) }),
  };
  // The rows are already JSON: insert them unchanged.
  return new JsonText(`${JSON.stringify(meta).slice(0, -1)},"rows":[${withTimestamps(rows, set.fields, request.timestamps).join(",")}]}`);
}

/**
 * Returns the job's name as an answer has it. Where a job is optional, it has one only for a reason; it can be told by its `queryId`.
 * Source: https://cloud.google.com/bigquery/docs/reference/rest/v2/JobCreationReason
 */
function nameOfJob(job: Job, { isJobOptional }: PageRequest, reason: "LONG_RUNNING" | "LARGE_RESULTS" | "OTHER" | undefined): object {
  if (!isJobOptional) return { jobReference: jobReference(job.reference) };
  return reason === undefined ? {} : { jobReference: jobReference(job.reference), jobCreationReason: { code: reason } };
}

/**
 * Returns the rows of an answer. One that is larger than a page has an answer of its own; jobs.query leaves it to the next page.
 * Throws `responseTooLarge` for one that no answer may have.
 */
export async function pageOf(
  set: ResultSet,
  start: number,
  { kind, maxResults = Number.POSITIVE_INFINITY }: { readonly kind: string; readonly maxResults: number | undefined },
): Promise<string[]> {
  const rows = await set.page(start, maxResults, PAGE_BYTES_MAX);
  const [{ length: size } = ""] = rows;
  if (size <= PAGE_BYTES_MAX) return rows;
  if (size > ROW_BYTES_MAX)
    throw new BigQueryError(
      "responseTooLarge",
      `Response too large to return. A row has ${size} bytes, and an answer at most ${ROW_BYTES_MAX}.`,
    );
  return kind === "bigquery#queryResponse" ? [] : rows;
}

function queryTimes(job: Job, billed: number): object {
  return {
    queryId: job.reference.id,
    location: job.reference.location,
    totalBytesBilled: String(billed),
    creationTime: String(job.creationTime),
    startTime: String(job.startTime),
    endTime: String(job.endTime),
  };
}

/** A page token of a query's rows. The client for Java takes it from jobs.query to tabledata.list. */
export function tokenOf(job: Job, start: number): string {
  return Buffer.from(`${job.reference.id} ${start}`).toString("base64url");
}

/** Returns the row at which a page begins. Throws `invalid` for a token of another job's rows. */
export function startOfToken(job: Job, token: string): number {
  const [id, start] = Buffer.from(token, "base64url").toString().split(" ");
  if (id !== job.reference.id || start === undefined || !/^\d+$/.test(start))
    throw new BigQueryError("invalid", `Invalid page token: ${token}`);
  return Number(start);
}
