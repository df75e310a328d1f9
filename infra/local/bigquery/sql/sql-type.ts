import type { Field, FieldType, ParameterType } from "../model.ts";
import type { TypeName } from "./parse/ast.ts";

export type Scalar =
  | "INT64"
  | "FLOAT64"
  | "NUMERIC"
  | "BOOL"
  | "STRING"
  | "BYTES"
  | "DATE"
  | "TIMESTAMP"
  | "DATETIME"
  | "TIME"
  | "GEOGRAPHY"
  | "JSON";

export interface StructField {
  readonly name: string | undefined;
  readonly type: SqlType;
}

/** A GoogleSQL type. `NULL` is the type of the literal alone, `INTERVAL` exists in queries and their results only. */
export type SqlType =
  | Scalar
  | "NULL"
  | "INTERVAL"
  | { readonly kind: "ARRAY"; readonly element: SqlType }
  | { readonly kind: "STRUCT"; readonly fields: readonly StructField[] };

const DUCK: Readonly<Record<Scalar | "NULL" | "INTERVAL", string>> = {
  INT64: "BIGINT",
  FLOAT64: "DOUBLE",
  NUMERIC: "DECIMAL(38,9)",
  BOOL: "BOOLEAN",
  STRING: "VARCHAR",
  BYTES: "BLOB",
  DATE: "DATE",
  TIMESTAMP: "TIMESTAMPTZ",
  DATETIME: "TIMESTAMP",
  TIME: "TIME",
  GEOGRAPHY: "VARCHAR",
  JSON: "JSON",
  NULL: "BIGINT",
  INTERVAL: "INTERVAL",
};

const ALIASES: Readonly<Record<string, Scalar>> = {
  INT: "INT64",
  SMALLINT: "INT64",
  INTEGER: "INT64",
  BIGINT: "INT64",
  TINYINT: "INT64",
  BYTEINT: "INT64",
  DECIMAL: "NUMERIC",
  BOOLEAN: "BOOL",
  FLOAT: "FLOAT64",
};

const LEGACY: Readonly<Record<Scalar, FieldType>> = {
  INT64: "INTEGER",
  FLOAT64: "FLOAT",
  NUMERIC: "NUMERIC",
  BOOL: "BOOLEAN",
  STRING: "STRING",
  BYTES: "BYTES",
  DATE: "DATE",
  TIMESTAMP: "TIMESTAMP",
  DATETIME: "DATETIME",
  TIME: "TIME",
  GEOGRAPHY: "GEOGRAPHY",
  JSON: "JSON",
};

function isScalar(name: string): name is Scalar {
  return Object.hasOwn(LEGACY, name);
}

/** Returns the scalar type of a name, ignoring case, with SQL's aliases (INTEGER, DECIMAL, …). Undefined if there is none. */
function scalarNamed(name: string): Scalar | undefined {
  const upper = name.toUpperCase();
  return isScalar(upper) ? upper : ALIASES[upper];
}

export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

export function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** Returns the name of a struct's field in DuckDB. BigQuery's REST API names a nameless field `_field_N`. */
export function fieldName(field: StructField, index: number): string {
  return field.name ?? `_field_${index + 1}`;
}

/** Returns the DuckDB type. */
export function duckType(type: SqlType): string {
  if (typeof type === "string") return DUCK[type];
  if (type.kind === "ARRAY") return `${duckType(type.element)}[]`;
  return `STRUCT(${type.fields.map((field, index) => `${quoteName(fieldName(field, index))} ${duckType(field.type)}`).join(", ")})`;
}

/** Returns the GoogleSQL text of a type, for errors. */
export function typeText(type: SqlType): string {
  if (typeof type === "string") return type;
  if (type.kind === "ARRAY") return `ARRAY<${typeText(type.element)}>`;
  return `STRUCT<${type.fields.map((field) => (field.name === undefined ? "" : `${field.name} `) + typeText(field.type)).join(", ")}>`;
}

export function sameType(left: SqlType, right: SqlType): boolean {
  if (typeof left === "string" || typeof right === "string") return left === right;
  if (left.kind === "ARRAY") return right.kind === "ARRAY" && sameType(left.element, right.element);
  if (right.kind === "ARRAY" || left.fields.length !== right.fields.length) return false;
  return left.fields.every((field, index) => {
    const other = right.fields[index];
    return other !== undefined && field.name?.toLowerCase() === other.name?.toLowerCase() && sameType(field.type, other.type);
  });
}

export function arrayOf(element: SqlType): SqlType {
  return { kind: "ARRAY", element };
}

/** Returns the type written in a statement. Undefined if a part of it is unknown. */
export function typeNamed(name: TypeName): SqlType | undefined {
  if (name.kind === "scalar") return scalarNamed(name.name);
  if (name.kind === "array") {
    const element = typeNamed(name.element);
    return element === undefined || (typeof element !== "string" && element.kind === "ARRAY") ? undefined : arrayOf(element);
  }
  const fields: StructField[] = [];
  for (const field of name.fields) {
    const type = typeNamed(field.type);
    if (type === undefined) return undefined;
    fields.push({ name: field.name, type });
  }
  return { kind: "STRUCT", fields };
}

/** Returns the type of a query parameter. Undefined if a part of it is unknown. */
export function typeOfParameter(parameter: ParameterType): SqlType | undefined {
  if (parameter.arrayType) {
    const element = typeOfParameter(parameter.arrayType);
    return element && arrayOf(element);
  }
  if (!parameter.structTypes) return scalarNamed(parameter.type);
  const fields: StructField[] = [];
  for (const { name, type } of parameter.structTypes) {
    const fieldType = typeOfParameter(type);
    if (fieldType === undefined) return undefined;
    fields.push({ name: name === "" ? undefined : name, type: fieldType });
  }
  return { kind: "STRUCT", fields };
}

/** Returns the type of a table's column. */
export function typeOfField(field: Field): SqlType {
  const single: SqlType =
    field.type === "RECORD"
      ? { kind: "STRUCT", fields: (field.fields ?? []).map((child) => ({ name: child.name, type: typeOfField(child) })) }
      : field.type === "INTERVAL"
        ? field.type
        : (scalarNamed(field.type) ?? "STRING");
  return field.mode === "REPEATED" ? arrayOf(single) : single;
}

function legacyType(type: Extract<SqlType, string>): FieldType {
  if (type === "INTERVAL") return type;
  return isScalar(type) ? LEGACY[type] : "INTEGER";
}

/**
 * Returns a result column in the REST API's shape. Result columns are never REQUIRED, as in BigQuery.
 */
export function fieldOfType(name: string, type: SqlType): Field {
  if (typeof type === "string") return { name, type: legacyType(type), mode: "NULLABLE" };
  if (type.kind === "ARRAY") return { ...fieldOfType(name, type.element), mode: "REPEATED" };
  const fields = type.fields.map((field, index) => fieldOfType(fieldName(field, index), field.type));
  return { name, type: "RECORD", mode: "NULLABLE", fields };
}
