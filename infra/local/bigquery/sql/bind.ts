import {
  BIGINT,
  BLOB,
  BOOLEAN,
  DATE,
  DECIMAL,
  DOUBLE,
  DuckDBBlobValue,
  DuckDBDateValue,
  DuckDBDecimalValue,
  DuckDBTimestampTZValue,
  DuckDBTimestampValue,
  DuckDBTimeValue,
  type DuckDBType,
  type DuckDBValue,
  LIST,
  STRUCT,
  TIME,
  TIMESTAMP,
  TIMESTAMPTZ,
  VARCHAR,
} from "@duckdb/node-api";
import { canonicalDate, canonicalDatetime, canonicalTime, readTimestamp } from "./analyze/temporal-literal.ts";
import { canonicalWkt } from "./geography/wkt.ts";
import { fieldName, type Scalar, type SqlType } from "./sql-type.ts";

const INT64_LIMIT = 2n ** 63n;
const NUMERIC = /^([+-]?)(\d{1,29})?(?:\.(\d{0,9}))?$/;
const FLOAT = /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/;
const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/;

/** Returns the DuckDB client's type. JSON is bound as text. */
export function bindType(type: SqlType): DuckDBType {
  if (typeof type !== "string") {
    if (type.kind === "ARRAY") return LIST(bindType(type.element));
    return STRUCT(Object.fromEntries(type.fields.map((field, index) => [fieldName(field, index), bindType(field.type)])));
  }
  const types: Readonly<Record<string, DuckDBType>> = {
    INT64: BIGINT,
    FLOAT64: DOUBLE,
    NUMERIC: DECIMAL(38, 9),
    BOOL: BOOLEAN,
    BYTES: BLOB,
    DATE,
    TIMESTAMP: TIMESTAMPTZ,
    DATETIME: TIMESTAMP,
    TIME,
  };
  return types[type] ?? VARCHAR;
}

function integer(text: string): bigint | undefined {
  if (!/^[+-]?\d{1,19}$/.test(text)) return undefined;
  const value = BigInt(text.replace("+", ""));
  return value < INT64_LIMIT && value >= -INT64_LIMIT ? value : undefined;
}

function float(text: string): number | undefined {
  if (FLOAT.test(text)) return Number(text);
  const special = /^([+-]?)(inf|infinity|nan)$/i.exec(text);
  if (!special) return undefined;
  if (special[2]?.toLowerCase() === "nan") return Number.NaN;
  return special[1] === "-" ? -Infinity : Infinity;
}

function numeric(text: string): DuckDBDecimalValue | undefined {
  const match = NUMERIC.exec(text);
  if (!match || (match[2] ?? "") + (match[3] ?? "") === "") return undefined;
  const scaled = BigInt((match[2] ?? "0") + (match[3] ?? "").padEnd(9, "0"));
  return new DuckDBDecimalValue(match[1] === "-" ? -scaled : scaled, 38, 9);
}

/** Converts a civil time `YYYY-MM-DD HH:MM:SS[.ffffff]`, read as UTC, to microseconds since 1970. */
function microseconds(civil: string): bigint {
  const [whole = "", fraction = ""] = civil.split(".");
  return BigInt(Date.parse(`${whole.replace(" ", "T")}Z`)) * 1000n + BigInt(fraction.padEnd(6, "0"));
}

function timestamp(text: string): DuckDBTimestampTZValue | undefined {
  const read = readTimestamp(text);
  if (!read) return undefined;
  const micros = microseconds(read.civil);
  if ("zone" in read) return /^(utc|gmt)$/i.test(read.zone) ? new DuckDBTimestampTZValue(micros) : undefined;
  const [hours = "0", minutes = "0"] = read.offset.slice(1).split(":");
  const shift = (BigInt(hours) * 60n + BigInt(minutes)) * 60_000_000n;
  return new DuckDBTimestampTZValue(read.offset.startsWith("-") ? micros + shift : micros - shift);
}

function boolean(text: string): boolean | undefined {
  const lower = text.toLowerCase();
  return lower === "true" || lower === "false" ? lower === "true" : undefined;
}

function json(text: string): string | undefined {
  try {
    JSON.parse(text);
    return text;
  } catch {
    return undefined;
  }
}

const READERS: Readonly<Record<Scalar, (text: string) => DuckDBValue | undefined>> = {
  INT64: integer,
  FLOAT64: float,
  NUMERIC: numeric,
  BOOL: boolean,
  STRING: (text) => text,
  BYTES: (text) => (BASE64.test(text) ? new DuckDBBlobValue(Buffer.from(text, "base64")) : undefined),
  DATE: (text) => {
    const date = canonicalDate(text);
    return date === undefined ? undefined : new DuckDBDateValue(Number(microseconds(`${date} 00:00:00`) / 86_400_000_000n));
  },
  TIMESTAMP: timestamp,
  DATETIME: (text) => {
    const civil = canonicalDatetime(text);
    return civil === undefined ? undefined : new DuckDBTimestampValue(microseconds(civil));
  },
  TIME: (text) => {
    const time = canonicalTime(text);
    return time === undefined ? undefined : new DuckDBTimeValue(microseconds(`1970-01-01 ${time}`));
  },
  GEOGRAPHY: canonicalWkt,
  JSON: json,
};

/** Parses the value of a scalar parameter from its wire text. Undefined if the text is not valid. */
export function scalarBind(text: string, type: SqlType): DuckDBValue | undefined {
  return typeof type === "string" && type !== "NULL" && type !== "INTERVAL" ? READERS[type](text) : undefined;
}
