import type { DuckDBConnection } from "@duckdb/node-api";
import type { Field, TableInfo } from "../model.ts";
import { quoteName } from "../sql/sql-type.ts";
import { sourceName } from "../warehouse/catalog.ts";
import { type CsvFormat, csvSource, csvValue } from "./csv-source.ts";

/**
 * Loads a CSV file whose columns are `fields`, in that order. Returns the number of rows. Throws DuckDB's error for a bad line; `csvFault`
 * finds it.
 */
export async function loadCsv(
  connection: DuckDBConnection,
  file: string,
  table: TableInfo,
  fields: readonly Field[],
  format: CsvFormat,
): Promise<number> {
  const columns = fields.map((field) => quoteName(field.name)).join(", ");
  const values = fields.map((field, index) => strictValue(field, `c${index}`, format)).join(", ");
  const source = csvSource(file, fields.length, format);
  const result = await connection.run(`INSERT INTO ${sourceName(table.ref)} (${columns}) SELECT ${values} FROM ${source}`);
  return result.rowsChanged;
}

function strictValue(field: Field, text: string, format: CsvFormat): string {
  const value = csvValue(field, text, format.allowQuotedNewlines);
  return value === text ? text : `CASE WHEN ${text} IS NOT NULL THEN coalesce(${value}, error(${text})) END`;
}
