import { coerce } from "../analyze/coerce.ts";
import type { Env } from "../analyze/env.ts";
import type { Call } from "../parse/ast.ts";
import { arrayOf } from "../sql-type.ts";
import { truncatedDate } from "./date.ts";
import { datePart, intervalArgument, MICROSECONDS } from "./date-part.ts";
import { type Implementation, type Library, noMatch, scalar, signature } from "./signature.ts";
import { civil, fromCivil, UTC, zoneArgument } from "./time-zone.ts";

function timestampArgument(call: Call, env: Env, index: number): string {
  const node = call.args[index];
  const value = node && env.value(node);
  const sql = value && coerce(value, "TIMESTAMP");
  if (sql === undefined) throw noMatch(call, env, value ? [value] : []);
  return sql;
}

function arity(call: Call, env: Env, min: number, max = min): void {
  if (call.args.length < min || call.args.length > max)
    throw env.context.fail(call.at, `Number of arguments does not match for function ${call.name}`);
}

function microseconds(call: Call, env: Env, part: string): number {
  const unit = MICROSECONDS[part];
  if (unit === undefined) throw env.context.fail(call.at, `${call.name} does not support the ${part} date part`);
  return unit;
}

function add(sign: "+" | "-"): Implementation {
  return (call, env) => {
    arity(call, env, 2);
    const { amount, part } = intervalArgument(call.args[1], env, call.at);
    const unit = microseconds(call, env, part);
    return {
      sql: `make_timestamptz(epoch_us(${timestampArgument(call, env, 0)}) ${sign} ${amount} * ${unit})`,
      type: "TIMESTAMP",
      at: call.at,
    };
  };
}

/** Counts whole parts between two instants, truncated towards zero. DuckDB's own function counts boundaries. */
const diff: Implementation = (call, env) => {
  arity(call, env, 3);
  const unit = microseconds(call, env, datePart(call.args[2], env, call.at).name);
  const difference = `(epoch_us(${timestampArgument(call, env, 0)}) - epoch_us(${timestampArgument(call, env, 1)}))`;
  return { sql: `(${difference} // ${unit})`, type: "INT64", at: call.at };
};

/** Truncates parts from a day up in the zone's civil time. Hours and less subtract the remainder that the zone's clock shows. */
const trunc: Implementation = (call, env) => {
  arity(call, env, 2, 3);
  const timestamp = timestampArgument(call, env, 0);
  const part = datePart(call.args[1], env, call.at);
  const zone = zoneArgument(call.args[2], env);
  const unit = MICROSECONDS[part.name];
  const { at } = call;
  if (unit !== undefined && (zone === UTC || unit < 60_000_000))
    return { sql: `make_timestamptz(bq_floor_us(epoch_us(${timestamp}), ${unit}))`, type: "TIMESTAMP", at };
  const local = civil(timestamp, zone);
  if (part.name === "HOUR" || part.name === "MINUTE") {
    const beyond = `(epoch_us(${local}) - bq_floor_us(epoch_us(${local}), ${unit}))`;
    return { sql: `make_timestamptz(epoch_us(${timestamp}) - ${beyond})`, type: "TIMESTAMP", at };
  }
  const day = truncatedDate(`CAST(${local} AS DATE)`, part);
  if (day === undefined) throw env.context.fail(at, `${call.name} does not support the ${part.name} date part`);
  return { sql: fromCivil(`CAST(${day} AS TIMESTAMP)`, zone), type: "TIMESTAMP", at };
};

/** TIMESTAMP(date | datetime | text | timestamp[, zone]). */
const timestamp: Implementation = (call, env) => {
  arity(call, env, 1, 2);
  const [first, second] = call.args;
  const value = first && env.value(first);
  const zone = zoneArgument(second, env);
  const { at } = call;
  if (value?.type === "DATE" || value?.type === "DATETIME")
    return { sql: fromCivil(`CAST(${value.sql} AS TIMESTAMP)`, zone), type: "TIMESTAMP", at };
  if (value?.type === "STRING" && second) return { sql: fromCivil(`bq_read_datetime(${value.sql})`, zone), type: "TIMESTAMP", at };
  const instant = value && !second ? coerce(value, "TIMESTAMP") : undefined;
  if (instant !== undefined) return { sql: instant, type: "TIMESTAMP", at };
  if (value?.type === "STRING") return { sql: `bq_read_timestamp(${value.sql})`, type: "TIMESTAMP", at };
  throw noMatch(call, env, value ? [value] : []);
};

const series: Implementation = (call, env) => {
  arity(call, env, 3);
  const { amount, part } = intervalArgument(call.args[2], env, call.at);
  const step = `${amount} * ${microseconds(call, env, part)}`;
  const type = arrayOf("TIMESTAMP");
  return { sql: `bq_time_series(${timestampArgument(call, env, 0)}, ${timestampArgument(call, env, 1)}, ${step})`, type, at: call.at };
};

function fromUnix(unit: number): Implementation {
  return scalar(signature(["INT64"], "TIMESTAMP", (n) => `make_timestamptz(${n} * ${unit})`));
}

function toUnix(unit: number): Implementation {
  return scalar(signature(["TIMESTAMP"], "INT64", (t) => `bq_floor_div(epoch_us(${t}), ${unit})`));
}

export const TIMESTAMP: Library = {
  TIMESTAMP: timestamp,
  TIMESTAMP_ADD: add("+"),
  TIMESTAMP_SUB: add("-"),
  TIMESTAMP_DIFF: diff,
  TIMESTAMP_TRUNC: trunc,
  TIMESTAMP_SECONDS: fromUnix(1_000_000),
  TIMESTAMP_MILLIS: fromUnix(1_000),
  TIMESTAMP_MICROS: fromUnix(1),
  UNIX_SECONDS: toUnix(1_000_000),
  UNIX_MILLIS: toUnix(1_000),
  UNIX_MICROS: toUnix(1),
  CURRENT_TIMESTAMP: scalar(signature([], "TIMESTAMP", () => "now()")),
  GENERATE_TIMESTAMP_ARRAY: series,
};
