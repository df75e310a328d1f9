import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import type { DuckDBConnection } from "@duckdb/node-api";
import { DetailedError } from "../errors.ts";
import type { TableInfo } from "../model.ts";
import type { BackgroundThreads } from "../warehouse/background-threads.ts";
import { RowAppender } from "./append.ts";
import { rowOfJson } from "./json-row.ts";

/**
 * Loads a file of one JSON object per line. Returns the number of rows. Throws `invalid` with the position, the field and the value of the
 * first bad row.
 */
export async function loadJson(
  connection: DuckDBConnection,
  threads: BackgroundThreads,
  file: string,
  table: TableInfo,
  options: { readonly ignoreUnknownValues: boolean },
): Promise<number> {
  const appender = await RowAppender.open(connection, threads, table.ref);
  let rows = 0;
  let position = 0;
  try {
    for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })) {
      if (line.trim() !== "") {
        const row = rowOfJson(table.fields, parseLine(line, rows, position), options.ignoreUnknownValues);
        if ("errors" in row)
          throw badRow(rows, position, row.errors.map(({ location, message }) => `${message} Field: ${location}`).join("; "));
        await appender.add(row.values);
        rows += 1;
      }
      position += Buffer.byteLength(line) + 1;
    }
  } finally {
    await appender.close();
  }
  return rows;
}

function parseLine(line: string, rows: number, position: number): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return Object.fromEntries(Object.entries(value));
  } catch {
    // Reported below, like every other line that is not an object.
  }
  throw badRow(rows, position, "Parser terminated before end of string");
}

function badRow(rows: number, position: number, reasons: string): DetailedError {
  const prefix = "Error while reading data, error message:";
  return new DetailedError(
    "invalid",
    `${prefix} JSON table encountered too many errors, giving up. Rows: ${rows + 1}; errors: 1. Please look into the errors[] collection for more details.`,
    [{ reason: "invalid", message: `${prefix} JSON parsing error in row starting at position ${position}: ${reasons}` }],
  );
}
