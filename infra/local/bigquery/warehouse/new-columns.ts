import { BigQueryError, type Field, type NewColumn, type TableInfo } from "../model.ts";

/**
 * Returns a table with further columns after its own, and those that it did not have. Throws `invalidQuery` for a column that exists and is
 * not added IF NOT EXISTS.
 */
export function withColumns(
  info: TableInfo,
  columns: readonly NewColumn[],
): { readonly info: TableInfo; readonly added: readonly Field[] } {
  const names = new Set(info.fields.map(({ name }) => name.toLowerCase()));
  const added: Field[] = [];
  for (const { field, ifNotExists } of columns) {
    const isNew = !names.has(field.name.toLowerCase());
    if (!isNew && !ifNotExists) throw new BigQueryError("invalidQuery", `Column already exists: ${field.name}`, "query");
    if (isNew) added.push(field);
    names.add(field.name.toLowerCase());
  }
  return { info: { ...info, fields: [...info.fields, ...added] }, added };
}
