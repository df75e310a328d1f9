import { type DuckDBValue, listValue, structValue } from "@duckdb/node-api";
import type { Field } from "../model.ts";
import { BadValue, scalarOfJson } from "./json-value.ts";

/** Why a row is rejected: the field's path and BigQuery's message. */
interface RowError {
  readonly location: string;
  readonly message: string;
}

export type ParsedRow = { readonly values: readonly DuckDBValue[] } | { readonly errors: readonly RowError[] };

/** Converts a JSON object to a row of a table: one value per field, in the table's order. Names are case-insensitive, as in BigQuery. */
export function rowOfJson(fields: readonly Field[], row: Readonly<Record<string, unknown>>, ignoreUnknown: boolean): ParsedRow {
  const errors: RowError[] = [];
  const values = membersOf(fields, row, "", ignoreUnknown, errors);
  return errors.length > 0 ? { errors } : { values };
}

function membersOf(fields: readonly Field[], row: object, path: string, ignoreUnknown: boolean, errors: RowError[]): DuckDBValue[] {
  const given = new Map(Object.entries(row).map(([name, value]: [string, unknown]) => [name.toLowerCase(), value]));
  if (!ignoreUnknown) {
    const known = new Set(fields.map((field) => field.name.toLowerCase()));
    for (const name of Object.keys(row))
      if (!known.has(name.toLowerCase())) errors.push({ location: `${path}${name}`, message: `no such field: ${path}${name}.` });
  }
  return fields.map((field) =>
    fieldValue(field, given.get(field.name.toLowerCase()) ?? null, `${path}${field.name}`, ignoreUnknown, errors),
  );
}

function fieldValue(field: Field, value: unknown, path: string, ignoreUnknown: boolean, errors: RowError[]): DuckDBValue {
  if (field.mode === "REPEATED") {
    if (value === null) return listValue([]);
    const item: Field = { ...field, mode: "NULLABLE" };
    if (!Array.isArray(value)) return report(errors, path, "Repeated record added outside of an array.");
    return listValue(
      value.map((one: unknown, index) =>
        one === null
          ? report(errors, `${path}[${index}]`, `Only optional fields can be set to NULL. Field: ${path}; Value: NULL`)
          : fieldValue(item, one, `${path}[${index}]`, ignoreUnknown, errors),
      ),
    );
  }
  if (value === null) {
    if (field.mode !== "REQUIRED") return null;
    return report(errors, path, `Missing required field: ${path}.`);
  }
  if (field.type === "RECORD") {
    if (typeof value !== "object" || Array.isArray(value)) return report(errors, path, `This field: ${path} is not a record.`);
    const children = field.fields ?? [];
    const values = membersOf(children, value, `${path}.`, ignoreUnknown, errors);
    return structValue(Object.fromEntries(children.map((child, index) => [child.name, values[index] ?? null])));
  }
  try {
    return scalarOfJson(field, value);
  } catch (error) {
    if (!(error instanceof BadValue)) throw error;
    return report(errors, path, error.message);
  }
}

function report(errors: RowError[], location: string, message: string): null {
  errors.push({ location, message });
  return null;
}
