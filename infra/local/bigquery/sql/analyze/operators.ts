import type { BinaryOperator, BitwiseOperator } from "../parse/ast.ts";
import { duckType, type SqlType, typeText } from "../sql-type.ts";
import { coerce, commonType } from "./coerce.ts";
import type { Context } from "./context.ts";
import type { Value } from "./value.ts";

const DUCK_OPERATORS: Readonly<Record<string, string>> = { "!=": "<>" };

/** Whether a type has an order, so that its values can be compared and sorted. */
export function isOrderable(type: SqlType): boolean {
  return typeof type === "string" && !["GEOGRAPHY", "JSON", "INTERVAL"].includes(type);
}

function signatureError(context: Context, operator: string, values: readonly Value[], at: number) {
  const types = values.map((value) => typeText(value.type)).join(", ");
  return context.fail(at, `No matching signature for operator ${operator} for argument types: ${types}`);
}

/** Throws if an operand is the literal NULL, which GoogleSQL refuses in operators other than AND, OR, IN, BETWEEN and IS. */
export function refuseNull(context: Context, operator: string, operands: readonly Value[]): void {
  for (const { type, literal, at } of operands)
    if (type === "NULL" && literal !== undefined) throw context.fail(at, `Operands of ${operator} cannot be literal NULL`);
}

/** Converts values to their common type. Throws if there is none. */
export function unify(context: Context, operator: string, values: readonly Value[], at: number): { type: SqlType; sql: string[] } {
  const type = commonType(values);
  const sql = type === undefined ? [] : values.map((value) => coerce(value, type));
  const known = sql.filter((text) => text !== undefined);
  if (type === undefined || known.length < values.length) throw signatureError(context, operator, values, at);
  return { type, sql: known };
}

function mayBeNan(value: Value): boolean {
  return value.literal === undefined && value.type !== "INT64" && value.type !== "NUMERIC";
}

/** DuckDB treats NaN as equal to itself and above all numbers. In GoogleSQL, every comparison with NaN is false. */
function notNan(type: SqlType, checks: readonly { readonly value: Value; readonly sql: string }[]): string {
  if (type !== "FLOAT64") return "";
  return checks.map(({ value, sql }) => (mayBeNan(value) ? ` AND NOT isnan(${sql})` : "")).join("");
}

/** Translates `=`, `<` and so on. Arrays, structs, JSON and geographies cannot be compared. */
export function compare(context: Context, operator: BinaryOperator, left: Value, right: Value, at: number): Value {
  const { type, sql } = unify(context, operator, [left, right], at);
  const [a, b] = [sql[0] ?? "", sql[1] ?? ""];
  if (!isOrderable(type)) throw signatureError(context, operator, [left, right], at);
  const plain = `${a} ${DUCK_OPERATORS[operator] ?? operator} ${b}`;
  if (operator === "!=") {
    const checks = type === "FLOAT64" && mayBeNan(left) && mayBeNan(right) ? ` OR (isnan(${a}) AND isnan(${b}))` : "";
    return { sql: `(${plain}${checks})`, type: "BOOL", at };
  }
  const greater = operator.startsWith("<") ? { value: right, sql: b } : { value: left, sql: a };
  const never = operator === "=" && (!mayBeNan(left) || !mayBeNan(right)) ? "" : notNan(type, [greater]);
  return { sql: `(${plain}${never})`, type: "BOOL", at };
}

/** A predicate that can stand with NOT, as `NOT IN`, and where it stands. */
export interface Negatable {
  readonly not: boolean;
  readonly at: number;
}

export function between(context: Context, of: Value, low: Value, high: Value, { not, at }: Negatable): Value {
  const { type, sql } = unify(context, "BETWEEN", [of, low, high], at);
  if (!isOrderable(type)) throw signatureError(context, "BETWEEN", [of, low, high], at);
  const [value, from, to] = sql;
  const plain = `${value} BETWEEN ${from} AND ${to}${notNan(type, [{ value: high, sql: to ?? "" }])}`;
  return { sql: not ? `(NOT (${plain}))` : `(${plain})`, type: "BOOL", at };
}

/** Translates `IS [NOT] DISTINCT FROM`: like `!=` and `=`, but two nulls are equal, and so are two NaN. */
export function distinctFrom(context: Context, left: Value, right: Value, { not, at }: Negatable): Value {
  const { type, sql } = unify(context, "IS DISTINCT FROM", [left, right], at);
  if (!isOrderable(type)) throw signatureError(context, "IS DISTINCT FROM", [left, right], at);
  return { sql: `(${sql[0]} IS ${not ? "NOT " : ""}DISTINCT FROM ${sql[1]})`, type: "BOOL", at };
}

/** Translates `IN (…)` over values. With NaN it is never true, like `=`. */
export function inList(context: Context, of: Value, items: readonly Value[], { not, at }: Negatable): Value {
  const { type, sql } = unify(context, "IN", [of, ...items], at);
  if (!isOrderable(type)) throw signatureError(context, "IN", [of, ...items], at);
  const [value, ...list] = sql;
  const plain = `${value} IN (${list.join(", ")})${items.some(mayBeNan) ? notNan(type, [{ value: of, sql: value ?? "" }]) : ""}`;
  return { sql: not ? `(NOT (${plain}))` : `(${plain})`, type: "BOOL", at };
}

function intervalSum(context: Context, operator: "+" | "-", left: Value, right: Value, at: number): Value {
  const [of, interval] = right.type === "INTERVAL" ? [left, right] : [right, left];
  const months = interval.sql.startsWith("to_months");
  if (of.type === "INTERVAL" || (operator === "-" && interval === left)) throw signatureError(context, operator, [left, right], at);
  if (of.type === "TIMESTAMP") {
    if (months) throw context.fail(at, "TIMESTAMP +/- INTERVAL is not supported for intervals with non-zero MONTH or YEAR part");
    return { sql: `(${of.sql} ${operator} ${interval.sql})`, type: "TIMESTAMP", at };
  }
  const civil = coerce(of, "DATETIME");
  if (of.literal || civil === undefined) throw signatureError(context, operator, [left, right], at);
  return { sql: `(${civil} ${operator} ${interval.sql})`, type: "DATETIME", at };
}

function dateSum(operator: "+" | "-", left: Value, right: Value, at: number): Value | undefined {
  const [date, days] = left.type === "DATE" ? [left, right] : [right, left];
  if (date.type !== "DATE" || days.type !== "INT64" || (operator === "-" && date === right)) return undefined;
  return { sql: `(${date.sql} ${operator} CAST(${days.sql} AS INTEGER))`, type: "DATE", at };
}

/** The interval from one value to another of the same type, by the type. DuckDB counts days in that of two times. */
const DIFFERENCES: Readonly<Record<string, (left: string, right: string) => string>> = {
  DATE: (left, right) => `to_days(CAST(${left} - ${right} AS INTEGER))`,
  DATETIME: (left, right) => `to_microseconds(epoch_us(${left}) - epoch_us(${right}))`,
  TIMESTAMP: (left, right) => `to_microseconds(epoch_us(${left}) - epoch_us(${right}))`,
  TIME: (left, right) => `to_microseconds(epoch_us(${left}) - epoch_us(${right}))`,
};

/** Translates `+`, `-`, `*` and `/`. `/` returns NUMERIC of NUMERIC and otherwise FLOAT64, and fails on zero. */
export function arithmetic(context: Context, operator: "+" | "-" | "*" | "/", left: Value, right: Value, at: number): Value {
  const additive = operator === "+" || operator === "-";
  if (additive && (left.type === "INTERVAL" || right.type === "INTERVAL")) return intervalSum(context, operator, left, right, at);
  const difference = operator === "-" && left.type === right.type ? DIFFERENCES[String(left.type)] : undefined;
  if (difference) return { sql: difference(left.sql, right.sql), type: "INTERVAL", at };
  const date = additive ? dateSum(operator, left, right, at) : undefined;
  if (date) return date;
  const { type, sql } = unify(context, operator, [left, right], at);
  if (type !== "INT64" && type !== "FLOAT64" && type !== "NUMERIC") throw signatureError(context, operator, [left, right], at);
  if (type === "NUMERIC") {
    const [a, b] = sql.map((number) => `CAST(${number} AS VARCHAR)`);
    if (!additive)
      return { sql: `CAST(bq_numeric_${operator === "*" ? "product" : "quotient"}(${a}, ${b}) AS ${duckType(type)})`, type, at };
    return { sql: `CAST(${sql[0]} ${operator} ${sql[1]} AS DECIMAL(38,9))`, type, at };
  }
  if (operator !== "/") return { sql: `(${sql[0]} ${operator} ${sql[1]})`, type, at };
  const floats = [left, right].map((value) => coerce(value, "FLOAT64") ?? value.sql);
  return { sql: `(${floats[0]} / bq_divisor(${floats[1]}))`, type: "FLOAT64", at };
}

const BITWISE: Readonly<Record<BitwiseOperator, (left: string, right: string) => string>> = {
  "&": (left, right) => `(${left} & ${right})`,
  "|": (left, right) => `(${left} | ${right})`,
  "^": (left, right) => `xor(${left}, ${right})`,
  "<<": (left, right) => `bq_shift_left(${left}, ${right})`,
  ">>": (left, right) => `bq_shift_right(${left}, ${right})`,
};

/** Translates a bitwise operator of two INT64. Throws for other types: that BigQuery also has them of BYTES is said. */
export function bitwise(context: Context, operator: BitwiseOperator, left: Value, right: Value, at: number): Value {
  if (left.type === "BYTES") throw context.fail(at, `${operator} of BYTES is not supported by the local BigQuery`);
  const [a, b] = [coerce(left, "INT64"), coerce(right, "INT64")];
  if (a !== undefined && b !== undefined) return { sql: BITWISE[operator](a, b), type: "INT64", at };
  throw signatureError(context, operator, [left, right], at);
}

/** Translates `||` of strings, bytes or arrays. */
export function concatenate(context: Context, left: Value, right: Value, at: number): Value {
  const { type, sql } = unify(context, "||", [left, right], at);
  if (typeof type !== "string" && type.kind === "ARRAY")
    return { sql: `CASE WHEN ${sql[0]} IS NULL OR ${sql[1]} IS NULL THEN NULL ELSE list_concat(${sql.join(", ")}) END`, type, at };
  if (type !== "STRING" && type !== "BYTES") throw signatureError(context, "||", [left, right], at);
  return { sql: `(${sql.join(" || ")})`, type, at };
}

export function like(context: Context, left: Value, right: Value, { not, at }: Negatable): Value {
  const { type, sql } = unify(context, "LIKE", [left, right], at);
  if (type !== "STRING") throw signatureError(context, "LIKE", [left, right], at);
  return { sql: `(${sql[0]} ${not ? "NOT LIKE" : "LIKE"} ${sql[1]} ESCAPE '\\')`, type: "BOOL", at };
}

/** Returns a condition's SQL. Throws if it is not BOOL. */
export function condition(context: Context, value: Value, clause: string): string {
  const sql = coerce(value, "BOOL");
  if (sql === undefined) throw context.fail(value.at, `${clause} should return type BOOL, but returns type ${typeText(value.type)}`);
  return sql;
}
