import type { DuckDBConnection } from "@duckdb/node-api";
import type { TableInfo } from "../model.ts";
import { quoteName } from "../sql/sql-type.ts";
import { sourceName } from "../warehouse/catalog.ts";
import { cellEncoder, encodeRows } from "../wire/cells.ts";
import { selectedFields } from "../wire/selected-fields.ts";
import { withTimestamps } from "../wire/timestamps.ts";
import { JsonText } from "./http.ts";
import { booleanOf, numberOf, offsetOfToken, tokenOfOffset } from "./paging.ts";

const PAGE_ROWS_MAX = 10_000;

/** Returns one page of `tabledata.list`, in insertion order. */
export async function tableData(connection: DuckDBConnection, table: TableInfo, query: URLSearchParams): Promise<JsonText> {
  const fields = selectedFields(table.fields, query.get("selectedFields"));
  const source = sourceName(table.ref);
  const start = query.has("pageToken") ? offsetOfToken(query.get("pageToken")) : (numberOf(query, "startIndex") ?? 0);
  const limit = Math.min(numberOf(query, "maxResults") ?? PAGE_ROWS_MAX, PAGE_ROWS_MAX);
  const count = await connection.runAndReadAll(`SELECT count(*) FROM ${source}`);
  const total = Number(count.getRows()[0]?.[0] ?? 0);
  const columns = fields.map((field) => quoteName(field.name)).join(", ");
  const result = await connection.run(`SELECT ${columns} FROM ${source} ORDER BY rowid LIMIT ${limit} OFFSET ${start}`);
  const encoders = fields.map(cellEncoder);
  const rows = (await result.fetchAllChunks()).flatMap((chunk) => encodeRows(chunk, encoders));
  const format = booleanOf(query, "formatOptions.useInt64Timestamp") ? "INT64" : "FLOAT64";
  const next = start + rows.length;
  const head = {
    kind: "bigquery#tableDataList",
    totalRows: String(total),
    ...(next < total && rows.length > 0 ? { pageToken: tokenOfOffset(next) } : {}),
  };
  return new JsonText(`${JSON.stringify(head).slice(0, -1)},"rows":[${withTimestamps(rows, fields, format).join(",")}]}`);
}
