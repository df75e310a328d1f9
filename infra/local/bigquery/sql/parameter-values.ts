import { type DuckDBConnection, DuckDBDateValue, DuckDBListValue, DuckDBTimestampTZValue, type DuckDBValue } from "@duckdb/node-api";
import { quoteText } from "./sql-type.ts";

/** The values of a query's parameters. */
export interface ParameterValues {
  /** Returns a statement with the values in place of its `$name`, except for values that are bound. */
  write(sql: string): string;
  /** Plans a statement with the values. It must run in the transaction in which it is planned: DuckDB's plan relies on what the rows were then. */
  prepare(connection: DuckDBConnection, sql: string): ReturnType<DuckDBConnection["prepare"]>;
}

/** Longer lists are bound: an item takes 3 µs longer to parse than to bind, and to plan a statement once more takes 1 to 2 ms. */
const ITEMS_MAX = 200;
/** What `$` may be part of in DuckDB's SQL: a text, a quoted name, a parameter. */
const TOKEN = /'(?:[^']|'')*'|"(?:[^"]|"")*"|\$(\w+)/g;

/** Returns a value as DuckDB's SQL, to be cast to its type. Undefined for the types that are bound. */
export function literalOf(value: DuckDBValue): string | undefined {
  if (value === null) return "NULL";
  // DuckDB's client ends a statement's text at a NUL.
  if (typeof value === "string") return value.includes("\0") ? undefined : quoteText(value);
  if (typeof value === "bigint" || typeof value === "boolean" || value instanceof DuckDBDateValue) return `'${value}'`;
  if (value instanceof DuckDBTimestampTZValue) return `'${utc(value.micros)}'`;
  if (!(value instanceof DuckDBListValue) || value.items.length > ITEMS_MAX) return undefined;
  const items = value.items.map(literalOf);
  return items.includes(undefined) ? undefined : `[${items.join(", ")}]`;
}

/** Microseconds since 1970 as `2026-01-02T03:04:05.000006Z`. */
function utc(micros: bigint): string {
  const below = ((micros % 1000n) + 1000n) % 1000n;
  const text = new Date(Number((micros - below) / 1000n)).toISOString();
  return text.replace("Z", `${String(below).padStart(3, "0")}Z`);
}

/**
 * Returns the statement with literals in place of the parameters that have one. DuckDB plans a statement with bound values twice: when it is prepared,
 * without them, and when it runs.
 */
export function withLiterals(sql: string, literals: ReadonlyMap<string, string>): string {
  return literals.size === 0
    ? sql
    : sql.replace(TOKEN, (token, name: string | undefined) => (name === undefined ? token : (literals.get(name) ?? token)));
}
