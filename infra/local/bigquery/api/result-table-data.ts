import type { Job } from "../jobs/job.ts";
import type { JobStore } from "../jobs/job-store.ts";
import { pageOf, startOfToken, tokenOf } from "../jobs/query-answer.ts";
import { jobOfResultTable, resultTable } from "../jobs/result-table.ts";
import type { ResultSet } from "../jobs/results.ts";
import type { TableRef } from "../model.ts";
import { tableNotFound } from "../warehouse/catalog.ts";
import { narrowRows, selectedFields } from "../wire/selected-fields.ts";
import { withTimestamps } from "../wire/timestamps.ts";
import type { Caller } from "./caller.ts";
import { JsonText } from "./http.ts";
import { booleanOf, numberOf } from "./paging.ts";

/** A query that has ended, and its rows. */
interface Answered {
  readonly job: Job;
  readonly rows: ResultSet;
}

/**
 * Returns the query whose rows a table stands for, or undefined for another table. Only who ran the query has them.
 * Throws `notFound` for others, and when the query has failed or was too long ago.
 */
export function queryOfTable(jobs: JobStore, caller: Caller, ref: TableRef): Answered | undefined {
  const reference = jobOfResultTable(ref);
  if (!reference) return undefined;
  const job = jobs.get(reference);
  if (!job?.result || job.state !== "DONE" || job.owner !== caller.principal.email || resultTable(job)?.dataset !== ref.dataset)
    throw tableNotFound(ref);
  return { job, rows: job.result };
}

/** Returns the table of a query's rows as `tables.get` shows it. */
export function resultTableResource({ job, rows }: Answered, { project, dataset, table }: TableRef): object {
  const time = String(job.endTime ?? job.creationTime);
  return {
    kind: "bigquery#table",
    etag: `${job.reference.id}-rows`,
    id: `${project}:${dataset}.${table}`,
    selfLink: `/bigquery/v2/projects/${project}/datasets/${dataset}/tables/${table}`,
    tableReference: { projectId: project, datasetId: dataset, tableId: table },
    type: "TABLE",
    location: job.reference.location,
    schema: { fields: rows.fields },
    creationTime: time,
    lastModifiedTime: time,
    numRows: String(rows.totalRows),
  };
}

/** Returns one page of `tabledata.list` of a query's result. */
export async function resultTableData({ job, rows }: Answered, query: URLSearchParams): Promise<JsonText> {
  const fields = selectedFields(rows.fields, query.get("selectedFields"));
  const token = query.get("pageToken");
  const start = token ? startOfToken(job, token) : (numberOf(query, "startIndex") ?? 0);
  const page = await pageOf(rows, start, { kind: "bigquery#tableDataList", maxResults: numberOf(query, "maxResults") });
  const next = start + page.length;
  const head = {
    kind: "bigquery#tableDataList",
    totalRows: String(rows.totalRows),
    ...(next < rows.totalRows ? { pageToken: tokenOf(job, next) } : {}),
  };
  const format = booleanOf(query, "formatOptions.useInt64Timestamp") ? "INT64" : "FLOAT64";
  return new JsonText(
    `${JSON.stringify(head).slice(0, -1)},"rows":[${withTimestamps(narrowRows(page, rows.fields, fields), fields, format).join(",")}]}`,
  );
}
