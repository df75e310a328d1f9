import { createReadStream } from "node:fs";
import type { DuckDBConnection } from "@duckdb/node-api";
import { DetailedError } from "../errors.ts";
import type { Field } from "../model.ts";
import { SQL_NAMES } from "../wire/column-types.ts";
import { type CsvFormat, csvSource, csvValue } from "./csv-source.ts";

const PREFIX = "Error while reading data, error message:";
const NEWLINE = 0x0a;

/** The first bad line of a CSV file. `row` counts the rows after the skipped ones, from 1. */
interface BadLine {
  readonly row: number;
  readonly message: string;
  readonly column?: { readonly index: number; readonly field: Field; readonly value: string };
}

/**
 * Returns the error of a file that did not load, with line, byte, column and value as BigQuery reports them, and with the object's URI if it is
 * one. Undefined if its lines are valid.
 */
export async function csvFault(
  connection: DuckDBConnection,
  file: string,
  fields: readonly Field[],
  format: CsvFormat,
  uri?: string,
): Promise<DetailedError | undefined> {
  const shape = await badShape(connection, file, fields, format);
  const value = await badValue(connection, file, fields, format);
  const badLine = shape && value ? (value.row < shape.row ? value : shape) : (shape ?? value);
  if (!badLine) return undefined;
  const line = format.skipLeadingRows + badLine.row;
  const position = `line_number: ${line} byte_offset_to_start_of_line: ${await offsetOfLine(file, line, format.quote)}`;
  const { column } = badLine;
  const where = column
    ? ` column_index: ${column.index} column_name: "${column.field.name}" column_type: ${SQL_NAMES[column.field.type]} value: "${column.value}"`
    : "";
  const source = uri === undefined ? "" : ` File: ${uri}`;
  return new DetailedError(
    "invalid",
    `${PREFIX} CSV table encountered too many errors, giving up. Rows: ${badLine.row}; errors: 1. Please look into the errors[] collection for more details.${source}`,
    [
      {
        reason: "invalid",
        ...(uri === undefined ? {} : { location: uri }),
        message: `${PREFIX} ${badLine.message}; ${position}${where}${source}`,
      },
    ],
  );
}

/** Finds too few or too many columns and broken quotes: what DuckDB rejects before it parses values. */
async function badShape(
  connection: DuckDBConnection,
  file: string,
  fields: readonly Field[],
  format: CsvFormat,
): Promise<BadLine | undefined> {
  const source = csvSource(file, fields.length, format, ", store_rejects = true, rejects_table = 'rejects', rejects_scan = 'rejects_scan'");
  await connection.runAndReadAll(`SELECT count(*) FROM ${source}`);
  const found = await connection.runAndReadAll(`SELECT line, error_type::VARCHAR, error_message FROM rejects ORDER BY line LIMIT 1`);
  await connection.run("DROP TABLE rejects");
  await connection.run("DROP TABLE rejects_scan");
  const [line, kind, text] = found.getRows()[0] ?? [];
  if (line === undefined) return undefined;
  const count = Number(/Found: (\d+)/.exec(String(text))?.[1] ?? 0);
  return { row: Number(line) - format.skipLeadingRows, message: shapeMessage(String(kind), count, fields.length) };
}

function shapeMessage(kind: string, found: number, expected: number): string {
  if (kind === "MISSING COLUMNS") return `CSV table references column position ${found}, but line contains only ${found} columns.`;
  if (kind === "TOO MANY COLUMNS") return `Too many values in line. Found ${found} column(s) while expected ${expected}.`;
  if (kind === "UNQUOTED VALUE") return 'Data between close quote character (") and field separator.';
  return kind === "INVALID ENCODING" ? "Invalid UTF-8" : "Unable to parse";
}

/** Finds the first value that does not fit its column. */
async function badValue(
  connection: DuckDBConnection,
  file: string,
  fields: readonly Field[],
  format: CsvFormat,
): Promise<BadLine | undefined> {
  const isBad = fields.map((field, index) => {
    const text = `c${index}`;
    const isUnfit = `(${text} IS NOT NULL AND (${csvValue(field, text, format.allowQuotedNewlines)}) IS NULL)`;
    return field.mode === "REQUIRED" ? `(${text} IS NULL OR ${isUnfit})` : isUnfit;
  });
  const firstBad = `CASE ${isBad.map((condition, index) => `WHEN ${condition} THEN ${index}`).join(" ")} END`;
  const source = csvSource(file, fields.length, format, ", ignore_errors = true");
  const texts = fields.map((_, index) => `c${index}`).join(", ");
  const found = await connection.runAndReadAll(
    `SELECT r, bad, [${texts}][bad + 1] FROM (SELECT r, ${firstBad} AS bad, ${texts} FROM (SELECT row_number() OVER () AS r, * FROM ${source})) WHERE bad IS NOT NULL LIMIT 1`,
  );
  const [row, index, value] = found.getRows()[0] ?? [];
  const field = fields[Number(index)];
  if (row === undefined || field === undefined) return undefined;
  const message = value === null ? "Required column value is missing" : "Unable to parse";
  return { row: Number(row), message, column: { index: Number(index), field, value: value === null ? "" : String(value) } };
}

/** Returns the byte at which a line starts. Newlines inside quotes end no line. Lines count from 1. */
async function offsetOfLine(file: string, line: number, quote: string): Promise<number> {
  const quoteByte = quote === "" ? undefined : quote.charCodeAt(0);
  let current = 1;
  let inside = false;
  let offset = 0;
  for await (const chunk of createReadStream(file)) {
    if (!Buffer.isBuffer(chunk)) continue;
    for (let index = 0; index < chunk.length; index++) {
      if (current === line) return offset + index;
      if (chunk[index] === quoteByte) inside = !inside;
      else if (chunk[index] === NEWLINE && !inside) current += 1;
    }
    offset += chunk.length;
  }
  return offset;
}
