import { coerce } from "../analyze/coerce.ts";
import type { Env } from "../analyze/env.ts";
import type { Value } from "../analyze/value.ts";
import type { Call } from "../parse/ast.ts";
import { arrayOf } from "../sql-type.ts";
import { type DatePart, datePart, type Interval, intervalArgument, MONTHS } from "./date-part.ts";
import { type Implementation, type Library, noMatch, scalar, signature } from "./signature.ts";
import { civil, zoneArgument } from "./time-zone.ts";

function unsupportedPart(call: Call, env: Env, part: string) {
  return env.context.fail(call.at, `${call.name} does not support the ${part} date part`);
}

function dateArgument(call: Call, env: Env, index: number): string {
  const node = call.args[index];
  const value = node && env.value(node);
  const sql = value && coerce(value, "DATE");
  if (sql === undefined) throw noMatch(call, env, value ? [value] : []);
  return sql;
}

function arity(call: Call, env: Env, min: number, max = min): void {
  if (call.args.length < min || call.args.length > max)
    throw env.context.fail(call.at, `Number of arguments does not match for function ${call.name}`);
}

/** Returns a date truncated to a part, as a DATE. */
export function truncatedDate(date: string, part: DatePart): string | undefined {
  if (part.name === "DAY") return date;
  if (part.weekday !== undefined) return `bq_week(${date}, ${part.weekday})`;
  if (["MONTH", "QUARTER", "YEAR", "ISOYEAR"].includes(part.name)) return `CAST(date_trunc('${part.name.toLowerCase()}', ${date}) AS DATE)`;
  return undefined;
}

/** DATE(timestamp[, zone]), DATE(datetime), DATE(date), DATE(year, month, day). */
const date: Implementation = (call, env) => {
  const { at } = call;
  const [first, second] = call.args;
  const value = first && env.value(first);
  const timestamp =
    value && (value.type === "TIMESTAMP" || (value.literal && value.type === "STRING")) ? coerce(value, "TIMESTAMP") : undefined;
  if (timestamp !== undefined && call.args.length <= 2)
    return { sql: `CAST(${civil(timestamp, zoneArgument(second, env))} AS DATE)`, type: "DATE", at };
  return scalar(
    signature(["DATE"], "DATE", (d) => d),
    signature(["DATETIME"], "DATE", (d) => `CAST(${d} AS DATE)`),
    signature(["INT64", "INT64", "INT64"], "DATE", (y, m, d) => `make_date(${y}, ${m}, ${d})`),
  )(call, env);
};

function shifted(sql: string, { amount, part }: Interval, sign: "" | "-"): string | undefined {
  const n = sign === "" ? amount : `(-${amount})`;
  if (part === "DAY") return `bq_add_days(${sql}, ${n})`;
  if (part === "WEEK") return `bq_add_days(${sql}, ${n} * 7)`;
  const months = MONTHS[part];
  return months === undefined ? undefined : `bq_add_months(${sql}, ${n} * ${months})`;
}

function add(sign: "" | "-"): Implementation {
  return (call, env) => {
    arity(call, env, 2);
    const interval = intervalArgument(call.args[1], env, call.at);
    const sql = shifted(dateArgument(call, env, 0), interval, sign);
    if (sql === undefined) throw unsupportedPart(call, env, interval.part);
    return { sql, type: "DATE", at: call.at };
  };
}

/** Counts the boundaries of a part between two dates. The later date is the first argument. */
const diff: Implementation = (call, env) => {
  arity(call, env, 3);
  const [a, b] = [dateArgument(call, env, 0), dateArgument(call, env, 1)];
  const part = datePart(call.args[2], env, call.at);
  const result = (sql: string): Value => ({ sql, type: "INT64", at: call.at });
  if (part.name === "DAY") return result(`(${a} - ${b})`);
  if (part.weekday !== undefined) return result(`((bq_week(${a}, ${part.weekday}) - bq_week(${b}, ${part.weekday})) // 7)`);
  if (["MONTH", "QUARTER", "YEAR", "ISOYEAR"].includes(part.name)) return result(`date_diff('${part.name.toLowerCase()}', ${b}, ${a})`);
  throw unsupportedPart(call, env, part.name);
};

const trunc: Implementation = (call, env) => {
  arity(call, env, 2);
  const part = datePart(call.args[1], env, call.at);
  const sql = truncatedDate(dateArgument(call, env, 0), part);
  if (sql === undefined) throw unsupportedPart(call, env, part.name);
  return { sql, type: "DATE", at: call.at };
};

const series: Implementation = (call, env) => {
  arity(call, env, 2, 3);
  const [from, to] = [dateArgument(call, env, 0), dateArgument(call, env, 1)];
  const { amount, part } = call.args[2] ? intervalArgument(call.args[2], env, call.at) : { amount: "1", part: "DAY" };
  const type = arrayOf("DATE");
  if (part === "DAY") return { sql: `bq_day_series(${from}, ${to}, ${amount})`, type, at: call.at };
  if (part === "WEEK") return { sql: `bq_day_series(${from}, ${to}, ${amount} * 7)`, type, at: call.at };
  const months = MONTHS[part];
  if (months === undefined) throw unsupportedPart(call, env, part);
  return { sql: `bq_date_series(${from}, ${to}, ${amount} * ${months})`, type, at: call.at };
};

const currentDate: Implementation = (call, env) => {
  arity(call, env, 0, 1);
  return { sql: `CAST(${civil("now()", zoneArgument(call.args[0], env))} AS DATE)`, type: "DATE", at: call.at };
};

export const DATE: Library = {
  DATE: date,
  DATE_ADD: add(""),
  DATE_SUB: add("-"),
  DATE_DIFF: diff,
  DATE_TRUNC: trunc,
  CURRENT_DATE: currentDate,
  GENERATE_DATE_ARRAY: series,
};
