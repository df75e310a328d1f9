import * as v from "valibot";
import { BigQueryError, type Field } from "../model.ts";

const CellSchema = v.object({ v: v.unknown() });
const RowSchema = v.object({ f: v.array(CellSchema) });

/**
 * Returns the fields that `selectedFields` names, for example `a,e.d.f`: in the order of the table, as BigQuery has them, records with the
 * fields that are named in them. All fields without a selection. Throws `invalid` for one that the table lacks.
 * Source: https://cloud.google.com/bigquery/docs/reference/rest/v2/tabledata/list
 */
export function selectedFields(fields: readonly Field[], selection: string | null): readonly Field[] {
  if (!selection) return fields;
  return narrow(
    fields,
    selection.split(",").map((path) => path.split(".")),
    "",
  );
}

/** Narrows fields to paths that begin with their names. `parent` is the path of the record that they are in, with a dot. */
function narrow(fields: readonly Field[], paths: readonly (readonly string[])[], parent: string): readonly Field[] {
  const isIn = (path: readonly string[], { name }: Field): boolean => path[0]?.toLowerCase() === name.toLowerCase();
  const unknown = paths.find((path) => !fields.some((field) => isIn(path, field)));
  if (unknown) throw new BigQueryError("invalid", `Selected non-existent field: ${parent}${unknown.join(".")}`);
  return fields.flatMap((field) => {
    const inside = paths.filter((path) => isIn(path, field)).map((path) => path.slice(1));
    if (inside.length === 0) return [];
    if (inside.some((path) => path.length === 0)) return [field];
    return [{ ...field, fields: [...narrow(field.fields ?? [], inside, `${parent}${field.name}.`)] }];
  });
}

/** Narrows stored rows of `fields`, each the JSON text of a TableRow, to a selection of them. */
export function narrowRows(rows: readonly string[], fields: readonly Field[], selected: readonly Field[]): readonly string[] {
  return fields === selected ? rows : rows.map((row) => JSON.stringify(narrowRow(JSON.parse(row), fields, selected)));
}

function narrowRow(row: unknown, fields: readonly Field[], selected: readonly Field[]): object {
  const { f } = v.parse(RowSchema, row);
  return {
    f: selected.map((field) => {
      const index = fields.findIndex(({ name }) => name === field.name);
      return { v: narrowCell(f[index]?.v, fields[index], field) };
    }),
  };
}

function narrowCell(value: unknown, field: Field | undefined, selected: Field): unknown {
  if (!field?.fields || field === selected || value === null) return value;
  if (field.mode !== "REPEATED") return narrowRow(value, field.fields, selected.fields ?? []);
  const item: Field = { ...field, mode: "NULLABLE" };
  return v.parse(v.array(CellSchema), value).map((cell) => ({ v: narrowCell(cell.v, item, selected) }));
}
