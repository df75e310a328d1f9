import type { Field, FieldType } from "../model.ts";
import { duckType, quoteName, quoteText, typeOfField } from "../sql/sql-type.ts";

/** The longest row that DuckDB reads, in bytes: a result's rows may have 100 MB at Google, and DuckDB takes a buffer of twice the size. */
const ROW_BYTES_MAX = 100_000_000;
const ROW_BYTES_USUAL = 16_000_000;

/** A file of rows as `encodeRows` writes them, one a line. */
export interface KeptRows {
  readonly file: string;
  readonly fields: readonly Field[];
  /** The number of rows. Without any there is no file. */
  readonly rows: number;
  /** What the longest row has at most, in bytes. */
  readonly longest: number;
}

/** Returns a subquery in DuckDB's SQL that reads rows from their file, each column in the type that tables have it in. */
export function keptRowsSql({ file, fields, rows, longest }: KeptRows): string {
  if (rows === 0) {
    const columns = fields.map((field) => `CAST(NULL AS ${duckType(typeOfField(field))}) AS ${quoteName(field.name)}`);
    return `(SELECT ${columns.join(", ")} WHERE false)`;
  }
  const columns = fields.map((field, index) => `${cellSql(field, `f[${index + 1}].v`, 0)} AS ${quoteName(field.name)}`);
  const size = Math.min(Math.max(longest, ROW_BYTES_USUAL), ROW_BYTES_MAX);
  const options = `columns = {f: 'STRUCT(v JSON)[]'}, format = 'newline_delimited', maximum_object_size = ${size}`;
  return `(SELECT ${columns.join(", ")} FROM read_json(${quoteText(file)}, ${options}))`;
}

/** The values that are written otherwise than DuckDB reads them, from their texts. */
const READERS: Readonly<Partial<Record<FieldType, (text: string) => string>>> = {
  TIMESTAMP: (text) => `CAST(make_timestamp(CAST(${text} AS BIGINT)) AS TIMESTAMPTZ)`,
  BYTES: (text) => `from_base64(${text})`,
  INTERVAL: (text) => `bq_interval(${text})`,
};

function cellSql(field: Field, json: string, depth: number): string {
  if (field.mode === "REPEATED") {
    const item = `item${depth}`;
    const inner = cellSql({ ...field, mode: "NULLABLE" }, `json_extract(${item}, '$.v')`, depth + 1);
    return `list_transform(CAST(${json} AS JSON[]), lambda ${item}: ${inner})`;
  }
  if (field.type === "RECORD") {
    const parts = (field.fields ?? []).map(
      (part, index) => `${quoteText(part.name)}: ${cellSql(part, `json_extract(${json}, '$.f[${index}].v')`, depth)}`,
    );
    return `CASE WHEN json_type(${json}) = 'OBJECT' THEN {${parts.join(", ")}} END`;
  }
  const text = `json_extract_string(${json}, '$')`;
  return READERS[field.type]?.(text) ?? `CAST(${text} AS ${duckType(typeOfField(field))})`;
}
