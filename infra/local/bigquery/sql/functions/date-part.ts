import { castSql } from "../analyze/cast.ts";
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

/**
 * Parses `INTERVAL n PART` as an argument, where n may also be a literal or a parameter of text, which is cast to an INT64. Throws if the
 * argument is not an interval.
 */
export function intervalArgument(node: Expression | undefined, env: Env, at: number): Interval {
  if (node?.kind !== "interval") throw env.context.fail(node?.at ?? at, "Expected INTERVAL expression");
  const value = env.value(node.amount);
  if (value.type === "STRING" && value.literal && !INTEGER_TEXT.test(value.literal.text))
    throw env.context.fail(node.amount.at, `Could not cast literal "${value.literal.text}" to type INT64`);
  const isText = value.type === "STRING" && (value.literal !== undefined || value.parameter === true);
  const amount = isText ? castSql(value, "INT64", false) : coerce(value, "INT64");
  if (amount === undefined) throw env.context.fail(node.amount.at, "Interval value must be coercible to INT64 type");
  return { amount, part: node.part };
}

const INTEGER_TEXT = /^\s*[+-]?(?:\d+|0[xX][0-9a-fA-F]+)\s*$/;
const SECONDS_TEXT = /^([+-]?)(\d*)\.(\d{1,6})$/;

/** Microseconds of a literal `'1.5'` of seconds, the one part that may have a fraction. Undefined for other literals. */
function fractionOfSeconds(text: string, part: string): bigint | undefined {
  const [, sign, whole = "", fraction = ""] = (part === "SECOND" && SECONDS_TEXT.exec(text)) || [];
  if (sign === undefined) return undefined;
  const micros = BigInt(`${whole}${fraction.padEnd(6, "0")}`);
  return sign === "-" ? -micros : micros;
}

/** Translates the number of an interval that is an operand: an INT64, or a literal of text without blanks. */
function operandAmount(value: Value, at: number, env: Env): string {
  const { literal } = value;
  if (value.type === "STRING" && literal) {
    if (!/^[+-]?\d+$/.test(literal.text)) throw env.context.fail(at, `Invalid INTERVAL value '${literal.text}'`);
    return `CAST('${literal.text}' AS BIGINT)`;
  }
  const amount = value.type === "INT64" || value.type === "NULL" ? coerce(value, "INT64") : undefined;
  if (amount !== undefined) return amount;
  throw env.context.fail(
    value.at,
    "Invalid interval literal. Expected INTERVAL keyword to be followed by an INT64 expression or STRING literal",
  );
}

/** Translates an interval as a value: with months, days and microseconds apart, as BigQuery has it. */
export function intervalValue(node: Extract<Expression, { kind: "interval" }>, env: Env): Value {
  const { part, at } = node;
  const value = env.value(node.amount);
  const type = "INTERVAL";
  const fraction = value.type === "STRING" && value.literal ? fractionOfSeconds(value.literal.text, part) : undefined;
  if (fraction !== undefined) return { sql: `to_microseconds(CAST(${fraction} AS BIGINT))`, type, at };
  const amount = operandAmount(value, at, env);
  const months = MONTHS[part];
  if (months !== undefined) return { sql: `to_months(CAST(${amount} * ${months} AS INTEGER))`, type, at };
  const days = part === "DAY" ? 1 : part === "WEEK" ? 7 : undefined;
  if (days !== undefined) return { sql: `to_days(CAST(${amount} * ${days} AS INTEGER))`, type, at };
  const micros = MICROSECONDS[part];
  if (micros === undefined) throw env.context.fail(at, `INTERVAL of ${part} is not supported by the local BigQuery`);
  return { sql: `to_microseconds(${amount} * ${micros})`, type, at };
}
