import { parseCountryTable } from "../../../shared/products/countries.ts";
import { messageOf } from "../../../shared/runtime/error-message.ts";
import { parseArguments } from "../arguments.ts";
import { openDuckDb } from "../duckdb-session.ts";
import { ImportError } from "../import-error.ts";
import { type Prepared, prepare } from "../prepare.ts";
import { columnsOfDdl } from "./columns-of-ddl.ts";

/** Invented rules: a country in a time zone with daylight saving time, one in UTC with k = 20, and one whose provider protects its counts. */
const COUNTRIES = parseCountryTable("testing", {
  EST: { name: "Estonia", time_zone: "Europe/Tallinn", people_per_device: 5, odm: { geo_types: ["grid_1000m"], distance: "none" } },
  UTO: { name: "Utopia", time_zone: "UTC", k: 20, people_per_device: 3.4, odm: { geo_types: ["admin_level_4"], distance: "centroids" } },
  NOM: { name: "Nomansland", time_zone: "UTC", protected: true },
});

/** The current time while files are prepared. */
export const NOW = new Date("2026-03-01T12:02:00Z");

export interface PreparedFile extends Omit<Prepared, "rows"> {
  /** The rows to load, as JSON. */
  readonly rows: readonly Record<string, unknown>[];
}

/** Prepares the import of a command line without a warehouse, at `NOW`. */
export function prepared(table: string, file: string, ...options: readonly string[]): Promise<PreparedFile> {
  return preparedAt(NOW, table, file, ...options);
}

/** Prepares the import of a command line without a warehouse, at a time. */
export async function preparedAt(now: Date, table: string, file: string, ...options: readonly string[]): Promise<PreparedFile> {
  const request = parseArguments([table, "--file", file, ...options]);
  if (request?.kind !== "file") throw new Error("the command line names no file");
  const duckdb = await openDuckDb();
  try {
    const columns = columnsOfDdl(request.table.name);
    const result = await prepare({ request, columns, countries: COUNTRIES, path: file, duckdb, now });
    return { ...result, rows: await duckdb.rows(`FROM read_parquet('${result.parquet}')`) };
  } finally {
    duckdb.close();
  }
}

/** Returns the message with which a file is rejected. Fails the test if it is accepted. */
export async function refusalOf(table: string, file: string, ...options: readonly string[]): Promise<string> {
  try {
    await prepared(table, file, ...options);
  } catch (error) {
    if (error instanceof ImportError) return messageOf(error).replaceAll(file, "FILE");
    throw error;
  }
  throw new Error(`${file} was not refused`);
}
