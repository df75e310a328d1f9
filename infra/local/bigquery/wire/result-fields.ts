import type { DuckDBConnection, DuckDBResult } from "@duckdb/node-api";
import { BigQueryError, type Field } from "../model.ts";
import { fieldOf } from "./column-types.ts";
import { assertFieldNames } from "./field-names.ts";

function fieldsOf(result: DuckDBResult): Field[] {
  const fields = Array.from({ length: result.columnCount }, (_, index) => fieldOf(result.columnName(index), result.columnType(index)));
  const seen = new Set<string>();
  for (const { name } of fields) {
    if (seen.has(name.toLowerCase()))
      throw new BigQueryError("invalidQuery", `Duplicate column names in the result are not supported. Found duplicate(s): ${name}`);
    seen.add(name.toLowerCase());
  }
  assertFieldNames(fields);
  return fields;
}

/**
 * Returns the columns of a DuckDB query, such as a file's. The query runs with no rows, since DuckDB resolves some types only then. Throws
 * `invalidQuery` if two columns have the same name.
 */
export async function fieldsOfQuery(connection: DuckDBConnection, sql: string): Promise<Field[]> {
  const prepared = await connection.prepare(`SELECT * FROM (${sql}) LIMIT 0`);
  try {
    return fieldsOf(await prepared.run());
  } finally {
    prepared.destroySync();
  }
}
