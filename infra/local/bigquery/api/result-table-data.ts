import { pageOf, startOfToken, tokenOf } from "../jobs/query-answer.ts";
import type { QueryEngine } from "../jobs/query-engine.ts";
import { type Answered, jobOfResultTable, resultOf } from "../jobs/result-table.ts";
import type { TableRef } from "../model.ts";
import { tableNotFound } from "../warehouse/catalog.ts";
import { narrowRows, selectedFields } from "../wire/selected-fields.ts";
import { withTimestamps } from "../wire/timestamps.ts";
import type { Caller } from "./caller.ts";
import { JsonText } from "./http.ts";
import { booleanOf, numberOf } from "./paging.ts";

/**
 * Returns the query whose rows a table stands for, or undefined for another table. Only who ran the query has them.
 * Throws `notFound` for others, and when the query has failed or was too long ago.
 */
export function queryOfTable({ jobs, now }: Pick<QueryEngine, "jobs" | "now">, caller: Caller, ref: TableRef): Answered | undefined {
  if (!jobOfResultTable(ref)) return undefined;
  const answered = resultOf(jobs, caller.principal.email, ref, now());
  if (!answered) throw tableNotFound(ref);
  return answered;
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
