import { randomUUID } from "node:crypto";
import { rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import type { DuckDBConnection } from "@duckdb/node-api";
import * as v from "valibot";
import { expect } from "vitest";
import { parseCsv } from "./csv.ts";
import { openDuckDb } from "./dump.ts";

/** A column of a manifest. `type` is BigQuery's. */
export interface ExportedColumn {
  readonly name: string;
  readonly type: string;
}

type Row = Record<string, unknown>;

/** Parses an exported file into rows in the form of a response: numbers as numbers, times as text, unknown values omitted. */
export async function exportedRows(
  bytes: Uint8Array,
  format: "csv" | "json" | "parquet",
  columns: readonly ExportedColumn[],
): Promise<Row[]> {
  if (format === "parquet") return await parquetRows(bytes, columns);
  const text = gunzipSync(bytes).toString("utf8");
  return format === "csv" ? csvRows(text, columns) : jsonRows(text, columns);
}

function csvRows(text: string, columns: readonly ExportedColumn[]): Row[] {
  const [header, ...lines] = parseCsv(text);
  expect(header).toEqual(columns.map(({ name }) => name));
  return lines.map((line) => {
    expect(line).toHaveLength(columns.length);
    return rowOf(columns, ({ type }, index) => {
      const value = line[index];
      return value === undefined || value === "" ? null : isNumeric(type) ? Number(value) : value;
    });
  });
}

const JsonLine = v.record(v.string(), v.unknown());

/** Parses JSON lines. Integers are strings, as BigQuery writes them. */
function jsonRows(text: string, columns: readonly ExportedColumn[]): Row[] {
  const names = columns.map(({ name }) => name);
  return text
    .split("\n")
    .slice(0, -1)
    .map((line) => {
      const fields = v.parse(JsonLine, JSON.parse(line));
      expect(Object.keys(fields).filter((name) => !names.includes(name))).toEqual([]);
      return rowOf(columns, ({ name, type }) => {
        const value = fields[name] ?? null;
        if (value !== null) expect(typeof value, `${name} of ${line}`).toBe(type === "FLOAT64" ? "number" : "string");
        return value !== null && isNumeric(type) ? Number(value) : value;
      });
    });
}

let duckDb: Promise<DuckDBConnection> | undefined;

/** BigQuery's types by DuckDB's names for them. */
const PARQUET_TYPES: Readonly<Record<string, string>> = {
  BIGINT: "INT64",
  DOUBLE: "FLOAT64",
  VARCHAR: "STRING",
  DATE: "DATE",
  "TIMESTAMP WITH TIME ZONE": "TIMESTAMP",
};

async function parquetRows(bytes: Uint8Array, columns: readonly ExportedColumn[]): Promise<Row[]> {
  duckDb ??= openDuckDb();
  const file = join(tmpdir(), `populus-export-${randomUUID()}.parquet`);
  await writeFile(file, bytes);
  try {
    const reader = await (await duckDb).runAndReadAll(`FROM read_parquet('${file}')`);
    const types = reader.columnTypes().map((type) => PARQUET_TYPES[type.toString()] ?? type.toString());
    expect(reader.columnNames().map((name, index) => ({ name, type: types[index] }))).toEqual(columns);
    return reader.getRowsJS().map((values) => rowOf(columns, ({ type }, index) => responseValue(values[index] ?? null, type)));
  } finally {
    await rm(file);
  }
}

function responseValue(value: unknown, type: string): unknown {
  if (typeof value === "bigint") return Number(value);
  if (!(value instanceof Date)) return value;
  return type === "DATE" ? value.toISOString().slice(0, 10) : value.toISOString();
}

function rowOf(columns: readonly ExportedColumn[], valueIn: (column: ExportedColumn, index: number) => unknown): Row {
  const fields = columns.map((column, index) => [column.name, valueIn(column, index)] as const);
  return Object.fromEntries(fields.filter(([, value]) => value !== null));
}

function isNumeric(type: string): boolean {
  return type === "INT64" || type === "FLOAT64";
}
