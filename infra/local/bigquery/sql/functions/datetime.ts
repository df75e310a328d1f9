import { castSql } from "../analyze/cast.ts";
import { coerce } from "../analyze/coerce.ts";
import type { Env } from "../analyze/env.ts";
import type { Value } from "../analyze/value.ts";
import type { Call } from "../parse/ast.ts";
import type { SqlType } from "../sql-type.ts";
import { truncatedDate } from "./date.ts";
import { type DatePart, datePart, type Interval, intervalArgument, MICROSECONDS, MONTHS } from "./date-part.ts";
import { type Implementation, type Library, noMatch, scalar, signature } from "./signature.ts";
import { civil, zoneArgument } from "./time-zone.ts";

const WEEK_MICROSECONDS = 7 * 86_400_000_000;

function unsupported(call: Call, env: Env, part: string) {
  return env.context.fail(call.at, `${call.name} does not support the ${part} date part`);
}

function argument(call: Call, env: Env, index: number, type: SqlType): string {
  const node = call.args[index];
  const value = node && env.value(node);
  const sql = value && coerce(value, type);
  if (sql === undefined) throw noMatch(call, env, value ? [value] : []);
  return sql;
}

function arity(call: Call, env: Env, min: number, max = min): void {
  if (call.args.length < min || call.args.length > max)
    throw env.context.fail(call.at, `Number of arguments does not match for function ${call.name}`);
}

/** DATETIME(year, month, day, hour, minute, second), (date[, time]), (timestamp[, zone]), (datetime), or a text. */
const datetime: Implementation = (call, env) => {
  const [first, second] = call.args;
  const value = first && env.value(first);
  if (value?.type === "TIMESTAMP" && call.args.length <= 2)
    return { sql: civil(value.sql, zoneArgument(second, env)), type: "DATETIME", at: call.at };
  const text = value?.type === "STRING" && call.args.length === 1 ? castSql(value, "DATETIME", false) : undefined;
  if (text !== undefined) return { sql: text, type: "DATETIME", at: call.at };
  return scalar(
    signature(["DATETIME"], "DATETIME", (d) => d),
    signature(["DATE", "TIME"], "DATETIME", (d, t) => `(${d} + ${t})`),
    signature(
      ["INT64", "INT64", "INT64", "INT64", "INT64", "INT64"],
      "DATETIME",
      (y, m, d, h, i, s) => `make_timestamp(${y}, ${m}, ${d}, ${h}, ${i}, ${s})`,
    ),
  )(call, env);
};

/** TIME(hour, minute, second), (timestamp[, zone]) or (datetime). */
const time: Implementation = (call, env) => {
  const [first, second] = call.args;
  const value = first && env.value(first);
  if (value?.type === "TIMESTAMP" && call.args.length <= 2)
    return { sql: `CAST(${civil(value.sql, zoneArgument(second, env))} AS TIME)`, type: "TIME", at: call.at };
  return scalar(
    signature(["DATETIME"], "TIME", (d) => `CAST(${d} AS TIME)`),
    signature(["INT64", "INT64", "INT64"], "TIME", (h, m, s) => `make_time(${h}, ${m}, ${s})`),
  )(call, env);
};

/** Returns a civil time moved by an interval. A month's end stays within the shorter month. Undefined for an unknown part. */
function moved(sql: string, { amount, part }: Interval, sign: "+" | "-"): string | undefined {
  const months = MONTHS[part];
  if (months !== undefined) return `(${sql} ${sign} to_months(CAST(${amount} * ${months} AS INTEGER)))`;
  const unit = MICROSECONDS[part] ?? (part === "WEEK" ? WEEK_MICROSECONDS : undefined);
  return unit === undefined ? undefined : `(${sql} ${sign} to_microseconds(${amount} * ${unit}))`;
}

function add(sign: "+" | "-"): Implementation {
  return (call, env) => {
    arity(call, env, 2);
    const interval = intervalArgument(call.args[1], env, call.at);
    const sql = moved(argument(call, env, 0, "DATETIME"), interval, sign);
    if (sql === undefined) throw unsupported(call, env, interval.part);
    return { sql, type: "DATETIME", at: call.at };
  };
}

/** Counts the boundaries of a part between two civil times. The later one is the first argument. */
const diff: Implementation = (call, env) => {
  arity(call, env, 3);
  const [a, b] = [argument(call, env, 0, "DATETIME"), argument(call, env, 1, "DATETIME")];
  const part = datePart(call.args[2], env, call.at);
  const result = (sql: string): Value => ({ sql, type: "INT64", at: call.at });
  const unit = MICROSECONDS[part.name];
  if (unit !== undefined) return result(`(bq_floor_div(epoch_us(${a}), ${unit}) - bq_floor_div(epoch_us(${b}), ${unit}))`);
  if (part.weekday !== undefined)
    return result(`((bq_week(CAST(${a} AS DATE), ${part.weekday}) - bq_week(CAST(${b} AS DATE), ${part.weekday})) // 7)`);
  if (["MONTH", "QUARTER", "YEAR", "ISOYEAR"].includes(part.name)) return result(`date_diff('${part.name.toLowerCase()}', ${b}, ${a})`);
  throw unsupported(call, env, part.name);
};

/** Returns a civil time truncated to a part. Undefined for an unknown part. */
function truncatedDatetime(sql: string, part: DatePart): string | undefined {
  const unit = MICROSECONDS[part.name];
  if (unit !== undefined) return `make_timestamp(bq_floor_us(epoch_us(${sql}), ${unit}))`;
  const day = truncatedDate(`CAST(${sql} AS DATE)`, part);
  return day && `CAST(${day} AS TIMESTAMP)`;
}

const trunc: Implementation = (call, env) => {
  arity(call, env, 2);
  const part = datePart(call.args[1], env, call.at);
  const sql = truncatedDatetime(argument(call, env, 0, "DATETIME"), part);
  if (sql === undefined) throw unsupported(call, env, part.name);
  return { sql, type: "DATETIME", at: call.at };
};

/** LAST_DAY(date[, part]): the last day of the month, or of another part. */
const lastDay: Implementation = (call, env) => {
  arity(call, env, 1, 2);
  const node = call.args[0];
  const value = node && env.value(node);
  const sql = value && (value.type === "DATETIME" ? `CAST(${value.sql} AS DATE)` : coerce(value, "DATE"));
  const part = call.args[1] ? datePart(call.args[1], env, call.at) : { name: "MONTH", weekday: undefined };
  const start = sql && truncatedDate(sql, part);
  if (start === undefined || part.name === "DAY")
    throw sql === undefined ? noMatch(call, env, value ? [value] : []) : unsupported(call, env, part.name);
  const months = MONTHS[part.name];
  if (part.name === "ISOYEAR") return { sql: `(CAST(date_trunc('isoyear', ${start} + 371) AS DATE) - 1)`, type: "DATE", at: call.at };
  return { sql: months === undefined ? `(${start} + 6)` : `(bq_add_months(${start}, ${months}) - 1)`, type: "DATE", at: call.at };
};

const timeAdd = (sign: "+" | "-"): Implementation => {
  return (call, env) => {
    arity(call, env, 2);
    const { amount, part } = intervalArgument(call.args[1], env, call.at);
    const unit = part === "DAY" ? undefined : MICROSECONDS[part];
    if (unit === undefined) throw unsupported(call, env, part);
    return { sql: `bq_time_of(epoch_us(${argument(call, env, 0, "TIME")}) ${sign} ${amount} * ${unit})`, type: "TIME", at: call.at };
  };
};

const timeDiff: Implementation = (call, env) => {
  arity(call, env, 3);
  const part = datePart(call.args[2], env, call.at);
  const unit = part.name === "DAY" ? undefined : MICROSECONDS[part.name];
  if (unit === undefined) throw unsupported(call, env, part.name);
  const [a, b] = [argument(call, env, 0, "TIME"), argument(call, env, 1, "TIME")];
  return { sql: `(epoch_us(${a}) // ${unit} - epoch_us(${b}) // ${unit})`, type: "INT64", at: call.at };
};

const timeTrunc: Implementation = (call, env) => {
  arity(call, env, 2);
  const part = datePart(call.args[1], env, call.at);
  const unit = part.name === "DAY" ? undefined : MICROSECONDS[part.name];
  if (unit === undefined) throw unsupported(call, env, part.name);
  return { sql: `bq_time_of(bq_floor_us(epoch_us(${argument(call, env, 0, "TIME")}), ${unit}))`, type: "TIME", at: call.at };
};

function current(type: "DATETIME" | "TIME"): Implementation {
  return (call, env) => {
    arity(call, env, 0, 1);
    const now = civil("now()", zoneArgument(call.args[0], env));
    return { sql: type === "TIME" ? `CAST(${now} AS TIME)` : now, type, at: call.at };
  };
}

/** The default origins of buckets. */
const ORIGINS = {
  TIMESTAMP: "TIMESTAMPTZ '1950-01-01 00:00:00+00'",
  DATETIME: "TIMESTAMP '1950-01-01'",
  DATE: "DATE '1950-01-01'",
} as const;
type Bucketed = keyof typeof ORIGINS;

/** TIMESTAMP_BUCKET, DATETIME_BUCKET and DATE_BUCKET: the start of the bucket, counted from an origin, 1950-01-01 by default. */
function bucket(type: Bucketed): Implementation {
  return (call, env) => {
    arity(call, env, 2, 3);
    const { amount, part } = intervalArgument(call.args[1], env, call.at);
    const value = argument(call, env, 0, type);
    const origin = call.args[2] ? argument(call, env, 2, type) : ORIGINS[type];
    const width = `bq_at_least(${amount}, 1, '${call.name} needs an interval above zero')`;
    const months = type === "TIMESTAMP" ? undefined : MONTHS[part];
    if (months !== undefined) {
      if (call.args[2]) throw env.context.fail(call.at, `${call.name} by months with an origin is not supported by the local BigQuery`);
      return { sql: asBucketed(type, monthsStart(value, `${width} * ${months}`)), type, at: call.at };
    }
    const unit = bucketUnit(type, part);
    if (unit === undefined) throw unsupported(call, env, part);
    const start = `(bq_floor_us(epoch_us(${value}) - epoch_us(${origin}), ${width} * ${unit}) + epoch_us(${origin}))`;
    const make = type === "TIMESTAMP" ? `make_timestamptz(${start})` : `make_timestamp(${start})`;
    return { sql: asBucketed(type, make), type, at: call.at };
  };
}

/** Returns the microseconds of a part by which a type has buckets; undefined if it has none by this part. */
function bucketUnit(type: Bucketed, part: string): number | undefined {
  if (part === "WEEK" && type !== "TIMESTAMP") return WEEK_MICROSECONDS;
  const unit = MICROSECONDS[part];
  return type === "DATE" && unit !== undefined && unit < 86_400_000_000 ? undefined : unit;
}

function monthsStart(value: string, width: string): string {
  const months = `date_diff('month', DATE '1950-01-01', CAST(${value} AS DATE))`;
  return `(TIMESTAMP '1950-01-01' + to_months(CAST(bq_floor_us(${months}, ${width}) AS INTEGER)))`;
}

function asBucketed(type: Bucketed, sql: string): string {
  return type === "DATE" ? `CAST(${sql} AS DATE)` : sql;
}

/** STRING(timestamp[, zone]), and of the other types as CAST does. */
const string: Implementation = (call, env) => {
  arity(call, env, 1, 2);
  const node = call.args[0];
  const value = node && env.value(node);
  if (value?.type === "TIMESTAMP") {
    const zone = zoneArgument(call.args[1], env);
    return { sql: `(bq_civil_text(${civil(value.sql, zone)}) || bq_short_offset(${value.sql}, ${zone}))`, type: "STRING", at: call.at };
  }
  const text =
    value && call.args.length === 1 && ["DATE", "DATETIME", "TIME"].includes(String(value.type))
      ? castSql(value, "STRING", false)
      : undefined;
  if (text === undefined) throw noMatch(call, env, value ? [value] : []);
  return { sql: text, type: "STRING", at: call.at };
};

export const DATETIME: Library = {
  DATETIME: datetime,
  DATETIME_ADD: add("+"),
  DATETIME_SUB: add("-"),
  DATETIME_DIFF: diff,
  DATETIME_TRUNC: trunc,
  CURRENT_DATETIME: current("DATETIME"),
  TIME: time,
  TIME_ADD: timeAdd("+"),
  TIME_SUB: timeAdd("-"),
  TIME_DIFF: timeDiff,
  TIME_TRUNC: timeTrunc,
  CURRENT_TIME: current("TIME"),
  LAST_DAY: lastDay,
  TIMESTAMP_BUCKET: bucket("TIMESTAMP"),
  DATETIME_BUCKET: bucket("DATETIME"),
  DATE_BUCKET: bucket("DATE"),
  STRING: string,
  UNIX_DATE: scalar(signature(["DATE"], "INT64", (d) => `(${d} - DATE '1970-01-01')`)),
  DATE_FROM_UNIX_DATE: scalar(signature(["INT64"], "DATE", (n) => `(DATE '1970-01-01' + CAST(${n} AS INTEGER))`)),
};
