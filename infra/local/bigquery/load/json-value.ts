import {
  DuckDBBlobValue,
  DuckDBDateValue,
  DuckDBDecimalValue,
  DuckDBTimestampTZValue,
  DuckDBTimestampValue,
  DuckDBTimeValue,
  type DuckDBValue,
} from "@duckdb/node-api";
import type { Field } from "../model.ts";
import { microsOfDateTime, microsOfTime } from "./date-time.ts";

/** A value that does not fit its column, with BigQuery's message. */
export class BadValue extends Error {}

const INT64_MAX = 2n ** 63n;
const NUMERIC_SCALE = 9;
const MICROS_OF_DAY = 86_400_000_000n;

/** Converts a JSON value to the DuckDB value of a column that is neither a record nor repeated. Throws `BadValue`. */
export function scalarOfJson(field: Field, value: unknown): DuckDBValue {
  if (typeof value === "object" && field.type !== "JSON")
    throw new BadValue(Array.isArray(value) ? "Array specified for non-repeated field." : "This field is not a record.");
  const text = typeof value === "string" ? value : JSON.stringify(value);
  switch (field.type) {
    case "INTEGER":
      return integer(text.trim());
    case "FLOAT":
      return float(text.trim());
    case "NUMERIC":
      return numeric(text.trim());
    case "BOOLEAN":
      return boolean(text);
    case "TIMESTAMP":
      return new DuckDBTimestampTZValue(typeof value === "number" ? BigInt(Math.round(value * 1e6)) : timestamp(text));
    case "DATETIME":
      return new DuckDBTimestampValue(microsOfDateTime(text, "none") ?? bad("Invalid datetime string", text));
    case "DATE":
      return new DuckDBDateValue(date(text));
    case "TIME":
      return new DuckDBTimeValue(microsOfTime(text) ?? bad("Invalid time string", text));
    case "BYTES":
      return new DuckDBBlobValue(
        /^[A-Za-z0-9+/_-]*={0,2}$/.test(text) ? Buffer.from(text, "base64") : bad("Could not decode base64 string to bytes.", text),
      );
    case "JSON":
      return json(value);
    default:
      return text;
  }
}

function integer(text: string): bigint {
  if (!/^[+-]?\d+(\.0*)?$/.test(text)) return bad("Cannot convert value to integer (bad value):", text);
  const value = BigInt(text.replace(/\.0*$/, "").replace("+", ""));
  return value >= -INT64_MAX && value < INT64_MAX ? value : bad("Cannot convert value to integer (bad value):", text);
}

function float(text: string): number {
  if (/^[+-]?inf(inity)?$/i.test(text)) return text.startsWith("-") ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  if (/^nan$/i.test(text)) return Number.NaN;
  return /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(text)
    ? Number(text)
    : bad("Cannot convert value to floating point (bad value):", text);
}

function numeric(text: string): DuckDBDecimalValue {
  const [, sign, whole = "", fraction = ""] = /^([+-]?)(\d{0,29})(?:\.(\d{0,9}))?$/.exec(text) ?? [];
  if (sign === undefined || `${whole}${fraction}` === "") return bad("Invalid NUMERIC value:", text);
  const scaled = BigInt(`${whole}${fraction.padEnd(NUMERIC_SCALE, "0")}`);
  return new DuckDBDecimalValue(sign === "-" ? -scaled : scaled, 38, NUMERIC_SCALE);
}

function boolean(text: string): boolean {
  if (/^(true|t|yes|y|1)$/i.test(text)) return true;
  return /^(false|f|no|n|0)$/i.test(text) ? false : bad("Cannot convert value to boolean (bad value):", text);
}

function timestamp(text: string): bigint {
  return (
    microsOfDateTime(text, "optional") ??
    bad("Could not parse as a timestamp. Required format is YYYY-MM-DD HH:MM[:SS[.SSSSSS]] or YYYY/MM/DD HH:MM[:SS[.SSSSSS]]:", text)
  );
}

function date(text: string): number {
  const micros = /^\d{4}-\d{1,2}-\d{1,2}$/.test(text) ? microsOfDateTime(text, "none") : undefined;
  return micros === undefined ? bad("Invalid date:", text) : Number(micros / MICROS_OF_DAY);
}

function json(value: unknown): string {
  if (typeof value !== "string") return JSON.stringify(value);
  try {
    JSON.parse(value);
    return value;
  } catch {
    return bad("Invalid JSON value:", value);
  }
}

function bad(words: string, text: string): never {
  throw new BadValue(`${words} ${text}`);
}
