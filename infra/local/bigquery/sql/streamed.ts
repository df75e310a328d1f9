import type { TableRef } from "../model.ts";
import { quoteName } from "./sql-type.ts";

/** The database schema with copies of the rows that were streamed into tables, each with the time. */
export const STREAMED = "bigquery_streamed";
/** The copies' own column, the first one: when the row was streamed, in epoch milliseconds. */
export const STREAMED_AT = quoteName("$streamed_at");

/** The name of the table with a table's copies. */
export function streamedTable({ dataset, table }: TableRef): string {
  return `${dataset}.${table}`;
}

/** A FROM item with the streamed rows of a table under an alias. */
export function streamedRows(ref: TableRef, alias: string): string {
  return `${quoteName(STREAMED)}.${quoteName(streamedTable(ref))} AS ${alias}`;
}
