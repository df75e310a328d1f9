import { duckType, quoteText, type SqlType, sameType, typeText } from "../sql-type.ts";
import { coerce } from "./coerce.ts";
import type { Context } from "./context.ts";
import { timestampSql } from "./temporal-literal.ts";
import type { Value } from "./value.ts";

type Cast = (sql: string) => string;

const FROM_TEXT: readonly SqlType[] = ["INT64", "FLOAT64", "NUMERIC", "BOOL", "DATE", "TIMESTAMP", "DATETIME", "TIME"];

/** The supported CASTs per pair of types. Strings are parsed by separate functions. Pairs that are missing here are rejected. */
const CASTS: Readonly<Record<string, Cast>> = {
  "INT64 STRING": (sql) => `CAST(${sql} AS VARCHAR)`,
  "INT64 BOOL": (sql) => `(${sql} <> 0)`,
  "BOOL INT64": (sql) => `CAST(${sql} AS BIGINT)`,
  "BOOL STRING": (sql) => `CAST(${sql} AS VARCHAR)`,
  "FLOAT64 STRING": (sql) => `bq_float_text(${sql})`,
  "NUMERIC STRING": (sql) => `bq_numeric_text(${sql})`,
  "FLOAT64 INT64": (sql) => `bq_round_int(${sql})`,
  "FLOAT64 NUMERIC": (sql) => `CAST(${sql} AS DECIMAL(38,9))`,
  "NUMERIC INT64": (sql) => `CAST(round(${sql}, 0) AS BIGINT)`,
  "STRING BYTES": (sql) => `encode(${sql})`,
  "BYTES STRING": (sql) => `decode(${sql})`,
  "DATE STRING": (sql) => `strftime(${sql}, '%Y-%m-%d')`,
  "DATE TIMESTAMP": (sql) => `timezone('UTC', CAST(${sql} AS TIMESTAMP))`,
  "TIME STRING": (sql) => `bq_time_text(${sql})`,
  "DATETIME STRING": (sql) => `bq_civil_text(${sql})`,
  "DATETIME DATE": (sql) => `CAST(${sql} AS DATE)`,
  "DATETIME TIME": (sql) => `CAST(${sql} AS TIME)`,
  "DATETIME TIMESTAMP": (sql) => `timezone('UTC', ${sql})`,
  "TIMESTAMP STRING": (sql) => `(bq_civil_text(timezone('UTC', ${sql})) || '+00')`,
  "TIMESTAMP DATE": (sql) => `CAST(timezone('UTC', ${sql}) AS DATE)`,
  "TIMESTAMP DATETIME": (sql) => `timezone('UTC', ${sql})`,
  "TIMESTAMP TIME": (sql) => `CAST(timezone('UTC', ${sql}) AS TIME)`,
};

/** Casts that can fail on a value of the right type. SAFE_CAST returns null for these. */
const SAFE_CASTS: Readonly<Record<string, Cast>> = {
  "FLOAT64 INT64": (sql) => `TRY_CAST(round(${sql}) AS BIGINT)`,
  "FLOAT64 NUMERIC": (sql) => `TRY_CAST(${sql} AS DECIMAL(38,9))`,
  "NUMERIC INT64": (sql) => `TRY_CAST(round(${sql}, 0) AS BIGINT)`,
  // In a lambda, since DuckDB moves expressions that occur twice out of a TRY that is not.
  "BYTES STRING": (sql) => `list_extract(list_transform([${sql}], lambda b: TRY(decode(b))), 1)`,
};

/** Returns DuckDB SQL of a CAST. Undefined if the pair of types has no cast here. */
export function castSql(value: Value, to: SqlType, safe: boolean): string | undefined {
  const from = value.type;
  if (sameType(from, to)) return value.sql;
  if (from === "STRING" && FROM_TEXT.includes(to) && typeof to === "string") {
    if (to === "TIMESTAMP" && value.literal)
      return timestampSql(value.literal.text) ?? `bq_${safe ? "try" : "read"}_timestamp(${quoteText(value.literal.text)})`;
    return `bq_${safe ? "try" : "read"}_${to.toLowerCase()}(${value.sql})`;
  }
  const key = `${typeText(from)} ${typeText(to)}`;
  const cast = (safe ? SAFE_CASTS[key] : undefined) ?? CASTS[key];
  if (cast) return cast(value.sql);
  return isArray(from) && isArray(to) && !isEmptyArray(value) ? undefined : coerce(value, to);
}

function isArray(type: SqlType): boolean {
  return typeof type !== "string" && type.kind === "ARRAY";
}

/** Whether a value is `[]`, which is of any array's type. */
function isEmptyArray({ parts }: Value): boolean {
  return parts?.length === 0;
}

/** Translates CAST and SAFE_CAST. Throws for a pair of types that GoogleSQL or the local warehouse does not cast. */
export function castValue(context: Context, value: Value, to: SqlType, safe: boolean, at: number): Value {
  const sql = castSql(value, to, safe);
  if (sql !== undefined) return { sql: value.type === "NULL" ? `CAST(NULL AS ${duckType(to)})` : sql, type: to, at };
  const arrays = isArray(value.type) && isArray(to) ? "Casting between arrays with incompatible element types is not supported: " : "";
  throw context.fail(at, `${arrays}Invalid cast from ${typeText(value.type)} to ${typeText(to)}`);
}
