import { type DuckDBValue, listValue, structValue } from "@duckdb/node-api";
import type { Field } from "../model.ts";
import { BadValue, scalarOfJson } from "./json-value.ts";

/** Why a row cannot be taken: the field's path and BigQuery's words. */
interface RowFault {
  readonly location: string;
  readonly message: string;
}

export type ParsedRow = { readonly values: readonly DuckDBValue[] } | { readonly faults: readonly RowFault[] };

/** A JSON object as a row of a table: one value a field, in the table's order. Names match in any case, as BigQuery's do. */
export function rowOfJson(fields: readonly Field[], row: Readonly<Record<string, unknown>>, ignoreUnknown: boolean): ParsedRow {
  const faults: RowFault[] = [];
  const values = membersOf(fields, row, "", ignoreUnknown, faults);
  return faults.length > 0 ? { faults } : { values };
}

function membersOf(fields: readonly Field[], row: object, path: string, ignoreUnknown: boolean, faults: RowFault[]): DuckDBValue[] {
  const given = new Map(Object.entries(row).map(([name, value]: [string, unknown]) => [name.toLowerCase(), value]));
  if (!ignoreUnknown) {
    const known = new Set(fields.map((field) => field.name.toLowerCase()));
    for (const name of Object.keys(row))
      if (!known.has(name.toLowerCase())) faults.push({ location: `${path}${name}`, message: `no such field: ${path}${name}.` });
  }
  return fields.map((field) =>
    fieldValue(field, given.get(field.name.toLowerCase()) ?? null, `${path}${field.name}`, ignoreUnknown, faults),
  );
}

function fieldValue(field: Field, value: unknown, path: string, ignoreUnknown: boolean, faults: RowFault[]): DuckDBValue {
  if (field.mode === "REPEATED") {
    if (value === null) return listValue([]);
    const item: Field = { ...field, mode: "NULLABLE" };
    if (!Array.isArray(value)) return fault(faults, path, "Repeated record added outside of an array.");
    return listValue(
      value.map((one: unknown, index) =>
        one === null
          ? fault(faults, `${path}[${index}]`, `Only optional fields can be set to NULL. Field: ${path}; Value: NULL`)
          : fieldValue(item, one, `${path}[${index}]`, ignoreUnknown, faults),
      ),
    );
  }
  if (value === null) {
    if (field.mode !== "REQUIRED") return null;
    return fault(faults, path, `Missing required field: ${path}.`);
  }
  if (field.type === "RECORD") {
    if (typeof value !== "object" || Array.isArray(value)) return fault(faults, path, `This field: ${path} is not a record.`);
    const children = field.fields ?? [];
    const values = membersOf(children, value, `${path}.`, ignoreUnknown, faults);
    return structValue(Object.fromEntries(children.map((child, index) => [child.name, values[index] ?? null])));
  }
  try {
    return scalarOfJson(field, value);
  } catch (error) {
    if (!(error instanceof BadValue)) throw error;
    return fault(faults, path, error.message);
  }
}

function fault(faults: RowFault[], location: string, message: string): null {
  faults.push({ location, message });
  return null;
}
