import { coerce } from "../analyze/coerce.ts";
import type { Env } from "../analyze/env.ts";
import type { Value } from "../analyze/value.ts";
import type { Expression } from "../parse/ast.ts";

const WEEKDAYS = ["SUNDAY", "MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY", "SATURDAY"];

/** Microseconds of the parts with a fixed length: a DAY of a TIMESTAMP is 24 hours. */
export const MICROSECONDS: Readonly<Record<string, number>> = {
  MICROSECOND: 1,
  MILLISECOND: 1_000,
  SECOND: 1_000_000,
  MINUTE: 60_000_000,
  HOUR: 3_600_000_000,
  DAY: 86_400_000_000,
};

/** Months of the parts that are multiples of a month. */
export const MONTHS: Readonly<Record<string, number>> = { MONTH: 1, QUARTER: 3, YEAR: 12 };

export interface DatePart {
  readonly name: string;
  /** The first weekday of WEEK, WEEK(MONDAY) and ISOWEEK. Sunday is 0. */
  readonly weekday: number | undefined;
}

/** Parses a date part: `MONTH`, `WEEK(MONDAY)`. Throws if it is not a date part. */
export function datePart(node: Expression | undefined, env: Env, at: number): DatePart {
  if (node?.kind === "path" && node.names.length === 1) {
    const name = (node.names[0] ?? "").toUpperCase();
    return { name, weekday: name === "WEEK" ? 0 : name === "ISOWEEK" ? 1 : undefined };
  }
  const [day] = node?.kind === "call" && node.name === "WEEK" ? node.args : [];
  const weekday = day?.kind === "path" ? WEEKDAYS.indexOf((day.names[0] ?? "").toUpperCase()) : -1;
  if (weekday < 0) throw env.context.fail(at, "A valid date part name is required");
  return { name: "WEEK", weekday };
}

export interface Interval {
  readonly amount: string;
  readonly part: string;
}

/** Parses `INTERVAL n PART` as an argument. Throws if the argument is not an interval. */
export function intervalArgument(node: Expression | undefined, env: Env, at: number): Interval {
  if (node?.kind !== "interval") throw env.context.fail(node?.at ?? at, "Expected INTERVAL expression");
  const amount = coerce(env.value(node.amount), "INT64");
  if (amount === undefined) throw env.context.fail(node.at, "Interval value must be coercible to INT64 type");
  return { amount, part: node.part };
}

/** Translates an interval as an operand of `+` or `-`. */
export function intervalValue(node: Extract<Expression, { kind: "interval" }>, env: Env): Value {
  const { amount, part } = intervalArgument(node, env, node.at);
  const type = "INTERVAL";
  const months = MONTHS[part];
  if (months !== undefined) return { sql: `to_months(CAST(${amount} * ${months} AS INTEGER))`, type, at: node.at };
  const micros = MICROSECONDS[part] ?? (part === "WEEK" ? 7 * 86_400_000_000 : undefined);
  if (micros === undefined) throw env.context.fail(node.at, `INTERVAL of ${part} is not supported by the local BigQuery`);
  return { sql: `to_microseconds(${amount} * ${micros})`, type, at: node.at };
}
