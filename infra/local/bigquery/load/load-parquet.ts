import type { DuckDBConnection } from "@duckdb/node-api";
import { asBigQueryError, isConflict } from "../errors.ts";
import { BigQueryError, type Field, type TableInfo } from "../model.ts";
import { duckType, quoteName, quoteText, typeOfField } from "../sql/sql-type.ts";
import { sourceName } from "../warehouse/catalog.ts";
import { SQL_NAMES } from "../wire/column-types.ts";
import { fieldsOfQuery } from "../wire/result-fields.ts";
import type { LoadedFile } from "./source-objects.ts";

const PREFIX = "Error while reading data, error message:";

/**
 * Loads a Parquet file by column name. Returns the number of rows. Throws `invalid`, with the object's URI if it is one, for a file that cannot be
 * read and for columns that are unknown, missing or of another type.
 */
export async function loadParquet(connection: DuckDBConnection, { path, uri }: LoadedFile, table: TableInfo): Promise<number> {
  try {
    return await loadFrom(connection, `read_parquet(${quoteText(path)})`, table);
  } catch (error) {
    const { reason, message } = asBigQueryError(error);
    if ((reason !== "invalid" && reason !== "invalidQuery") || isConflict(error)) throw error;
    const says = error instanceof BigQueryError ? message : `${PREFIX} ${unreadable(message)}`;
    throw new BigQueryError("invalid", uri === undefined ? says : `${says} File: ${uri}`, uri);
  }
}

/** What DuckDB says of a file names its path on this machine. */
function unreadable(message: string): string {
  return message.startsWith("Required field") ? message : "Input file is not in Parquet format.";
}

async function loadFrom(connection: DuckDBConnection, source: string, table: TableInfo): Promise<number> {
  const columnsOf = await fieldsOfQuery(connection, `SELECT * FROM ${source}`);
  const found = new Map(columnsOf.map((field) => [field.name.toLowerCase(), field]));
  const known = new Set(table.fields.map((field) => field.name.toLowerCase()));
  for (const field of found.values()) if (!known.has(field.name.toLowerCase())) throw mismatch(`Cannot add fields (field: ${field.name})`);
  const present = table.fields.filter((field) => {
    const column = found.get(field.name.toLowerCase());
    if (column) assertSameType(field, column, field.name);
    else if (field.mode === "REQUIRED") throw mismatch(`Field ${field.name} is missing in the file and REQUIRED in the table`);
    return column !== undefined;
  });
  const columns = present.map((field) => quoteName(field.name)).join(", ");
  const values = present.map((field) => `${quoteName(field.name)}::${duckType(typeOfField(field))}`).join(", ");
  const result = await connection.run(`INSERT INTO ${sourceName(table.ref)} (${columns}) SELECT ${values} FROM ${source}`);
  return result.rowsChanged;
}

/** GEOGRAPHY and JSON are stored as text; whole numbers fit a FLOAT or NUMERIC column; a DATETIME is a timestamp without a zone. */
function assertSameType(target: Field, source: Field, path: string): void {
  const takesText = target.type === "GEOGRAPHY" || target.type === "JSON";
  const widens = source.type === "INTEGER" && (target.type === "FLOAT" || target.type === "NUMERIC");
  const isTime = source.type === "DATETIME" && target.type === "TIMESTAMP";
  const sameType = source.type === target.type || (takesText && source.type === "STRING") || widens || isTime;
  if (!sameType || (source.mode === "REPEATED") !== (target.mode === "REPEATED"))
    throw new BigQueryError(
      "invalid",
      `${PREFIX} Parquet column '${path}' has type ${describe(source)} which does not match the target type ${describe(target)}.`,
    );
  for (const child of target.fields ?? []) {
    const given = source.fields?.find((field) => field.name.toLowerCase() === child.name.toLowerCase());
    if (given) assertSameType(child, given, `${path}.${child.name}`);
    else throw mismatch(`Field ${path}.${child.name} is missing in the file`);
  }
}

function describe({ type, mode }: Field): string {
  return mode === "REPEATED" ? `ARRAY<${SQL_NAMES[type]}>` : SQL_NAMES[type];
}

function mismatch(detail: string): BigQueryError {
  return new BigQueryError("invalid", `${PREFIX} Provided schema does not match the file: ${detail}`);
}
