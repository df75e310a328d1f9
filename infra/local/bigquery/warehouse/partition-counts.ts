import type { DuckDBConnection } from "@duckdb/node-api";
import type { Partitioning, TableInfo, TableRef } from "../model.ts";
import type { ParameterValues } from "../sql/parameter-values.ts";
import { quoteName } from "../sql/sql-type.ts";
import { sourceName } from "./catalog.ts";

/** How many filters of a table are remembered. */
const FILTERS_MAX = 200;
/** A quotation mark ends a text only if no second one follows: otherwise `'a''b'` could be read in two ways, and twenty such texts in a million. */
const COMPARISON =
  /^(?:'(?:[^']|'')*'(?!')|"(?:[^"]|"")*"(?!")|\b(?:CAST|AS|DATE|TIMESTAMPTZ|TIMESTAMP|VARCHAR|BIGINT|BETWEEN|AND|OR|NOT|IN|IS|NULL)\b|[\s(),=<>])*$/;

/** Counts the rows of each value of the partition column and of each partition. */
export async function countPartitions(connection: DuckDBConnection, ref: TableRef, { column, unit }: Partitioning): Promise<void> {
  const name = quoteName(column);
  await connection.run(
    `CREATE OR REPLACE TABLE ${countsOf(ref)} AS SELECT date_trunc('${unit}', ${name}) AS "$partition", ${name}, count(*) AS "$rows" FROM ${sourceName(ref)} GROUP BY ALL`,
  );
}

/**
 * Returns the rows of the partitions that a filter matches, as last counted. `known` has the rows that filters matched since then, and is
 * added to.
 */
export async function matchingRows(
  connection: DuckDBConnection,
  table: TableInfo,
  filter: string,
  values: ParameterValues,
  known: Map<string, number>,
): Promise<number> {
  const written = values.write(filter);
  const before = known.get(written);
  if (before !== undefined) return before;
  const counts = countsOf(table.ref);
  // A whole partition is read if a value of it matches. A day of a DATE column has one value, which needs no second look at the counts.
  const matches = hasOneValueEach(table) ? filter : `"$partition" IN (SELECT "$partition" FROM ${counts} WHERE ${filter})`;
  // Counts that are made anew are another table, for which DuckDB plans anew: this needs no transaction.
  const prepared = await values.prepare(connection, `SELECT coalesce(sum("$rows"), 0)::BIGINT FROM ${counts} WHERE ${matches}`);
  try {
    const reader = await prepared.runAndReadAll();
    const rows = Number(reader.getRows()[0]?.[0] ?? 0);
    if (known.size < FILTERS_MAX && onlyCompares(written)) known.set(written, rows);
    return rows;
  } finally {
    prepared.destroySync();
  }
}

/** Returns whether a filter of DuckDB's SQL only compares columns to values that it contains: then it matches the same partitions at any time. */
export function onlyCompares(filter: string): boolean {
  return COMPARISON.test(filter);
}

function countsOf({ dataset, table }: TableRef): string {
  return `statistics.main.${quoteName(`${dataset}.${table}`)}`;
}

/** Returns whether each partition of a table has rows of one value of the partition column only. */
function hasOneValueEach({ partitioning, fields }: TableInfo): boolean {
  return partitioning?.unit === "DAY" && fields.some(({ name, type }) => name === partitioning.column && type === "DATE");
}
