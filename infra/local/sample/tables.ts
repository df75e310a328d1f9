import type { DuckDBAppender, DuckDBConnection } from "@duckdb/node-api";

/**
 * Makes a temporary table in place of one with the same name, and fills it. Rows are appended and not written as SQL, because DuckDB takes a
 * second to read the text of 20,000 rows. DuckDB's appender blocks this thread, so the connection is one that keeps DuckDB's threads (`DirectConnections`).
 * @param columns names and types (VARCHAR, INTEGER, BIGINT or DOUBLE), for example `id BIGINT, name VARCHAR`; rows have these members
 */
export async function makeTable(connection: DuckDBConnection, name: string, columns: string, rows: Iterable<object>): Promise<void> {
  await connection.run(`CREATE OR REPLACE TEMP TABLE ${name} (${columns})`);
  const types = columns.split(", ").map((column) => column.split(" "));
  const appender = await connection.createAppender(name, "main", "temp");
  for (const row of rows) {
    for (const [column = "", type = ""] of types) append(appender, type, Reflect.get(row, column));
    appender.endRow();
  }
  appender.closeSync();
}

function append(appender: DuckDBAppender, type: string, value: unknown): void {
  if (value === null) appender.appendNull();
  else if (type === "VARCHAR" && typeof value === "string") appender.appendVarchar(value);
  else if (type === "INTEGER" && typeof value === "number") appender.appendInteger(value);
  else if (type === "BIGINT" && typeof value === "number") appender.appendBigInt(BigInt(value));
  else if (type === "DOUBLE" && typeof value === "number") appender.appendDouble(value);
  else throw new TypeError(`${String(value)} is no ${type}`);
}
