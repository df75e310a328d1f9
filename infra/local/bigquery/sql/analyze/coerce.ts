import { duckType, fieldName, quoteName, quoteText, type SqlType, sameType } from "../sql-type.ts";
import { canonicalDate, canonicalDatetime, canonicalTime, timestampSql } from "./temporal-literal.ts";
import type { Value } from "./value.ts";

const NUMBERS: readonly SqlType[] = ["INT64", "NUMERIC", "FLOAT64"];

/** Returns DuckDB SQL of a string literal as a date or time. Undefined if it is not valid. */
export function temporalLiteral(text: string, type: SqlType): string | undefined {
  if (type === "TIMESTAMP") return timestampSql(text);
  const canonical =
    type === "DATE"
      ? canonicalDate(text)
      : type === "DATETIME"
        ? canonicalDatetime(text)
        : type === "TIME"
          ? canonicalTime(text)
          : undefined;
  return canonical === undefined ? undefined : `CAST('${canonical}' AS ${duckType(type)})`;
}

/** The macro that parses a string as a date or time and fails as GoogleSQL does. */
function textReader(type: SqlType): string | undefined {
  const readers: Partial<Record<string, string>> = {
    DATE: "bq_read_date",
    TIMESTAMP: "bq_read_timestamp",
    DATETIME: "bq_read_datetime",
    TIME: "bq_read_time",
  };
  return typeof type === "string" ? readers[type] : undefined;
}

function softText(value: Value, to: SqlType): string | undefined {
  if (value.literal?.type === "STRING") return temporalLiteral(value.literal.text, to);
  const reader = value.parameter ? textReader(to) : undefined;
  return reader && `${reader}(${value.sql})`;
}

function coerceParts(value: Value, to: SqlType): string | undefined {
  if (typeof to === "string" || !value.parts) return undefined;
  const types = to.kind === "ARRAY" ? value.parts.map(() => to.element) : to.fields.map((field) => field.type);
  if (types.length !== value.parts.length) return undefined;
  const parts: string[] = [];
  for (const [index, part] of value.parts.entries()) {
    const type = types[index];
    const sql = type && coerce(part, type);
    if (sql === undefined) return undefined;
    parts.push(sql);
  }
  if (to.kind === "ARRAY") return parts.length === 0 ? `CAST([] AS ${duckType(to)})` : `[${parts.join(", ")}]`;
  return structSql(to.fields.map((field, index) => ({ name: fieldName(field, index), sql: parts[index] ?? "NULL" })));
}

export function structSql(fields: readonly { readonly name: string; readonly sql: string }[]): string {
  return `struct_pack(${fields.map(({ name, sql }) => `${quoteName(name)} := ${sql}`).join(", ")})`;
}

function coerceStruct(value: Value, to: SqlType): string | undefined {
  const from = value.type;
  if (typeof from === "string" || typeof to === "string" || from.kind !== "STRUCT" || to.kind !== "STRUCT") return undefined;
  if (from.fields.length !== to.fields.length) return undefined;
  const fields: { name: string; sql: string }[] = [];
  for (const [index, field] of to.fields.entries()) {
    const source = from.fields[index];
    if (!source) return undefined;
    const part: Value = { sql: `(${value.sql}).${quoteName(fieldName(source, index))}`, type: source.type, at: value.at };
    const sql = coerce(part, field.type);
    if (sql === undefined) return undefined;
    fields.push({ name: fieldName(field, index), sql });
  }
  return `CASE WHEN ${value.sql} IS NULL THEN NULL ELSE ${structSql(fields)} END`;
}

/** Coerces a value to a type by GoogleSQL's implicit coercions. Returns DuckDB SQL, undefined if there is no coercion. */
export function coerce(value: Value, to: SqlType): string | undefined {
  const from = value.type;
  if (sameType(from, to)) return value.sql;
  if (from === "NULL") return `CAST(NULL AS ${duckType(to)})`;
  if (from === "INT64" && to === "FLOAT64" && value.literal) return `CAST(${quoteText(value.literal.text)} AS DOUBLE)`;
  if (from === "INT64" && (to === "FLOAT64" || to === "NUMERIC")) return `CAST(${value.sql} AS ${duckType(to)})`;
  if (from === "NUMERIC" && to === "FLOAT64") return `CAST(${value.sql} AS DOUBLE)`;
  if (from === "FLOAT64" && to === "NUMERIC" && value.literal) return `CAST(${quoteText(value.literal.text)} AS DECIMAL(38,9))`;
  if (from === "DATE" && to === "DATETIME") return `CAST(${value.sql} AS TIMESTAMP)`;
  if (from === "STRING") return softText(value, to);
  return coerceParts(value, to) ?? coerceStruct(value, to);
}

function isSoftText(value: Value): boolean {
  return value.type === "STRING" && (value.literal !== undefined || value.parameter === true);
}

/** Returns the type that all values coerce to. Undefined if there is none. NULL alone is INT64, as in GoogleSQL. */
export function commonType(values: readonly Value[]): SqlType | undefined {
  const known = values.filter((value) => value.type !== "NULL");
  const [first] = known;
  if (!first) return "INT64";
  const firm = known.filter((value) => !isSoftText(value));
  const numbers = known.map((value) => NUMBERS.indexOf(value.type));
  const candidates: SqlType[] = numbers.every((rank) => rank >= 0)
    ? NUMBERS.slice(Math.max(...numbers))
    : [...firm.map((value) => value.type), ...(firm.length > 0 ? [] : [first.type])];
  return candidates.find((type) => known.every((value) => coerce(value, type) !== undefined));
}
