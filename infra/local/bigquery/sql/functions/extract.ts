import type { Env } from "../analyze/env.ts";
import type { Value } from "../analyze/value.ts";
import type { Expression } from "../parse/ast.ts";
import { type SqlType, typeText } from "../sql-type.ts";
import { type DatePart, datePart } from "./date-part.ts";
import { civil, UTC, zoneArgument } from "./time-zone.ts";

/** Parts that DuckDB extracts from a date as GoogleSQL does. */
const OF_DATE: Readonly<Record<string, (date: string) => string>> = {
  YEAR: (d) => `extract(year FROM ${d})`,
  ISOYEAR: (d) => `extract(isoyear FROM ${d})`,
  QUARTER: (d) => `extract(quarter FROM ${d})`,
  MONTH: (d) => `extract(month FROM ${d})`,
  ISOWEEK: (d) => `extract(week FROM ${d})`,
  DAY: (d) => `extract(day FROM ${d})`,
  DAYOFYEAR: (d) => `extract(doy FROM ${d})`,
  // Sunday is 1 in GoogleSQL and 0 in DuckDB.
  DAYOFWEEK: (d) => `(extract(dow FROM ${d}) + 1)`,
};

/** Parts of a time of day. DuckDB's milliseconds and microseconds include the seconds. */
const OF_TIME: Readonly<Record<string, (time: string) => string>> = {
  HOUR: (t) => `extract(hour FROM ${t})`,
  MINUTE: (t) => `extract(minute FROM ${t})`,
  SECOND: (t) => `extract(second FROM ${t})`,
  MILLISECOND: (t) => `(extract(millisecond FROM ${t}) % 1000)`,
  MICROSECOND: (t) => `(extract(microsecond FROM ${t}) % 1000000)`,
};

/** EXTRACT(part FROM value [AT TIME ZONE zone]). */
export function extract(node: Extract<Expression, { kind: "extract" }>, env: Env): Value {
  const { at } = node;
  const of = env.value(node.of);
  const part = datePart(node.part, env, at);
  if (node.zone && of.type !== "TIMESTAMP") throw env.context.fail(at, `EXTRACT from ${typeText(of.type)} does not support AT TIME ZONE`);
  const sql = of.type === "TIMESTAMP" ? civil(of.sql, node.zone ? zoneArgument(node.zone, env) : UTC) : of.sql;
  const found = extracted(sql, of.type, part);
  if (!found) throw env.context.fail(at, `EXTRACT from ${typeText(of.type)} does not support the ${part.name} date part`);
  return { type: "INT64", ...found, at };
}

/** Returns a part of a value in DuckDB's SQL, and its type if it is no INT64. Undefined if the type does not have the part. */
function extracted(sql: string, type: Value["type"], part: DatePart): { readonly sql: string; readonly type?: SqlType } | undefined {
  const timed = type === "TIMESTAMP" || type === "DATETIME";
  const ofTime = timed || type === "TIME" ? OF_TIME[part.name] : undefined;
  if (ofTime) return { sql: ofTime(sql) };
  if (timed && part.name === "DATE") return { sql: `CAST(${sql} AS DATE)`, type: "DATE" };
  if (timed && part.name === "TIME") return { sql: `CAST(${sql} AS TIME)`, type: "TIME" };
  if (type === "TIMESTAMP" && part.name === "DATETIME") return { sql, type: "DATETIME" };
  if (!timed && type !== "DATE") return undefined;
  const ofDate = OF_DATE[part.name];
  if (ofDate) return { sql: ofDate(sql) };
  return part.name === "WEEK" && part.weekday !== undefined ? { sql: `bq_week_number(${sql}, ${part.weekday})` } : undefined;
}
