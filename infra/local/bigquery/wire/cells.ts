import {
  DuckDBBlobValue,
  type DuckDBDataChunk,
  DuckDBDateValue,
  DuckDBDecimalValue,
  DuckDBIntervalValue,
  DuckDBListValue,
  DuckDBStructValue,
  DuckDBTimestampTZValue,
  DuckDBTimestampValue,
  DuckDBTimeValue,
  type DuckDBValue,
} from "@duckdb/node-api";
import { BigQueryError, type Field } from "../model.ts";

/** The format of timestamps: whole microseconds, seconds as a float, or ISO 8601. */
export type TimestampFormat = "INT64" | "FLOAT64" | "ISO8601_STRING";

/** Writes one value as the JSON of a cell's `v`. */
export type CellEncoder = (value: DuckDBValue) => string;

/**
 * Returns the encoder of a column. Timestamps are written as microseconds (see `withTimestamps`). The encoder throws `invalidQuery` for an array
 * with a null element, which may be inside a query but not in its result.
 */
export function cellEncoder(field: Field): CellEncoder {
  const item = itemEncoder(field);
  if (field.mode !== "REPEATED") return (value) => (value === null ? "null" : item(value));
  const element: CellEncoder = (value) => {
    if (value !== null) return `{"v":${item(value)}}`;
    throw new BigQueryError("invalidQuery", `Array cannot have a null element; error in writing field ${field.name}`);
  };
  // BigQuery has no NULL arrays: a NULL array of DuckDB is written as an empty one.
  return (value) => (value instanceof DuckDBListValue ? `[${value.items.map(element).join(",")}]` : "[]");
}

function itemEncoder(field: Field): CellEncoder {
  switch (field.type) {
    case "RECORD":
      return recordEncoder(field.fields ?? []);
    case "STRING":
    case "JSON":
    case "GEOGRAPHY":
      return (value) => JSON.stringify(String(value));
    case "FLOAT":
      return (value) => `"${floatText(Number(value))}"`;
    case "NUMERIC":
      return (value) => `"${value instanceof DuckDBDecimalValue ? decimalText(value) : value}"`;
    case "TIMESTAMP":
      return (value) => `"${value instanceof DuckDBTimestampTZValue ? value.micros : value}"`;
    case "DATETIME":
      return (value) => `"${value instanceof DuckDBTimestampValue ? dateTimeText(value.micros) : value}"`;
    case "DATE":
      return (value) => `"${value instanceof DuckDBDateValue ? dateTimeText(BigInt(value.days) * DAY).slice(0, 10) : value}"`;
    case "TIME":
      return (value) => `"${value instanceof DuckDBTimeValue ? dateTimeText(value.micros).slice(11) : value}"`;
    case "INTERVAL":
      return (value) => `"${value instanceof DuckDBIntervalValue ? intervalText(value) : value}"`;
    case "BYTES":
      return (value) => `"${value instanceof DuckDBBlobValue ? Buffer.from(value.bytes).toString("base64") : value}"`;
    default:
      return (value) => `"${value}"`;
  }
}

function recordEncoder(fields: readonly Field[]): CellEncoder {
  const encoders = fields.map((field) => ({ name: field.name, encode: cellEncoder(field) }));
  return (value) => {
    const entries = value instanceof DuckDBStructValue ? value.entries : {};
    return `{"f":[${encoders.map(({ name, encode }) => `{"v":${encode(entries[name] ?? null)}}`).join(",")}]}`;
  };
}

/** Returns the rows of a chunk, each as the JSON text of a TableRow. */
export function encodeRows(chunk: DuckDBDataChunk, encoders: readonly CellEncoder[]): string[] {
  const columns = encoders.map((encode, index) => chunk.getColumnValues(index).map((value) => encode(value)));
  return Array.from({ length: chunk.rowCount }, (_, row) => {
    let text = '{"f":[';
    for (let index = 0; index < columns.length; index++) text += `${index === 0 ? "" : ","}{"v":${columns[index]?.[row]}}`;
    return `${text}]}`;
  });
}

const DAY = 86_400_000_000n;
const MILLIONS = 1_000_000n;

/** Formats microseconds since 1970 as `YYYY-MM-DDTHH:MM:SS[.ffffff]` in UTC. */
export function dateTimeText(micros: bigint): string {
  const fraction = ((micros % MILLIONS) + MILLIONS) % MILLIONS;
  const seconds = (micros - fraction) / MILLIONS;
  const text = new Date(Number(seconds) * 1000).toISOString().slice(0, 19);
  return fraction === 0n ? text : `${text}.${String(fraction).padStart(6, "0")}`;
}

/** Formats an interval as BigQuery's canonical text: years and months, days, and hours, minutes and seconds, each with its sign. */
function intervalText({ months, days, micros }: DuckDBIntervalValue): string {
  const [month, time] = [Math.abs(months), micros < 0n ? -micros : micros];
  const seconds = time / MILLIONS;
  const fraction = String(time % MILLIONS).padStart(6, "0");
  const shown = fraction === "000000" ? "" : `.${fraction.replace(/000$/, "")}`;
  const clock = `${seconds / 3600n}:${(seconds / 60n) % 60n}:${seconds % 60n}${shown}`;
  return `${months < 0 ? "-" : ""}${Math.floor(month / 12)}-${month % 12} ${days} ${micros < 0n ? "-" : ""}${clock}`;
}

/** Formats a FLOAT64 as BigQuery prints it: `1.0`, `0.5`, `1.0E25`, `NaN`, `Infinity`. */
function floatText(value: number): string {
  const text = Object.is(value, -0) ? "-0.0" : String(value);
  if (!Number.isFinite(value) || text === "-0.0") return text;
  const [mantissa = text, exponent] = text.split("e");
  const whole = mantissa.includes(".") ? mantissa : `${mantissa}.0`;
  return exponent === undefined ? whole : `${whole}E${exponent.replace("+", "")}`;
}

function decimalText({ value, scale }: DuckDBDecimalValue): string {
  const digits = String(value < 0n ? -value : value).padStart(scale + 1, "0");
  const whole = digits.slice(0, digits.length - scale);
  const fraction = digits.slice(digits.length - scale).replace(/0+$/, "");
  return `${value < 0n ? "-" : ""}${whole}${fraction === "" ? "" : `.${fraction}`}`;
}
