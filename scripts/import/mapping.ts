import type { Column } from "../../shared/google/columns.ts";
import { columnName } from "../../shared/loading/column-name.ts";
import { computedColumns, isFact, type LoadedTable } from "../../shared/products/loaded-tables.ts";
import type { Given } from "./arguments.ts";
import { ImportError } from "./import-error.ts";
import type { SourceColumn } from "./source.ts";

/** The source of one column's values. */
export type Mapped =
  | { readonly kind: "column"; readonly column: Column; readonly source: SourceColumn }
  | { readonly kind: "set"; readonly column: Column; readonly value: string }
  | { readonly kind: "derived"; readonly column: Column }
  | { readonly kind: "none"; readonly column: Column };

/**
 * Maps each column of a table to its source: an option of the command line, else the file's column of the same name, or the only one that differs
 * from it in letter case and blanks alone. Throws an ImportError that lists every mismatch.
 */
export function mapColumns(
  table: LoadedTable,
  columns: readonly Column[],
  source: readonly SourceColumn[],
  given: readonly Given[],
): Mapped[] {
  const giveable = columns.filter(({ name }) => !computedColumns(table).includes(name));
  const faults = [...faultsOfGiven(table, giveable, source, given)];
  const mapped = giveable.map((column) => mapColumn(table, column, source, given));
  const missing = mapped.filter(({ kind, column }) => kind === "none" && column.required).map(({ column }) => column.name);
  if (missing.length > 0)
    faults.push(`${missing.join(", ")}: required by ${table.name}, but not in the file and not set by --column or --set`);
  for (const { kind, column } of mapped) {
    const alike = kind === "none" || kind === "derived" ? alikeColumns(source, column.name) : [];
    if (alike.length > 1) faults.push(`${column.name}: the file has ${said(alike)}: name one of them by --column`);
  }
  for (const entry of mapped)
    if (entry.kind === "column" && entry.source.unreadable !== undefined)
      faults.push(`${entry.column.name}: the file's column ${entry.source.name} ${entry.source.unreadable}`);
  if (faults.length === 0) return mapped;
  throw new ImportError(
    [
      "The columns do not match:",
      ...faults.map((fault) => `  ${fault}`),
      `  The file has: ${said(source)}`,
      `  ${table.name} has: ${giveable.map(({ name, required }) => (required ? name : `${name} (optional)`)).join(", ")}`,
    ].join("\n"),
  );
}

function* faultsOfGiven(
  table: LoadedTable,
  columns: readonly Column[],
  source: readonly SourceColumn[],
  given: readonly Given[],
): Generator<string> {
  for (const [index, entry] of given.entries()) {
    const { column } = entry;
    if (computedColumns(table).includes(column)) yield `${column}: the import computes it; it cannot be set`;
    else if (!columns.some(({ name }) => name === column)) yield `${column}: ${table.name} has no such column`;
    else if (given.findIndex((other) => other.column === column) < index) yield `${column}: given twice`;
    if (entry.kind === "column" && !findColumn(source, entry.source)) yield `${column}: the file has no column ${entry.source}`;
  }
}

function mapColumn(table: LoadedTable, column: Column, source: readonly SourceColumn[], given: readonly Given[]): Mapped {
  const entry = given.find((candidate) => candidate.column === column.name);
  if (entry?.kind === "set") return { kind: "set", column, value: entry.value };
  const found = findColumn(source, entry?.source ?? column.name);
  if (found) return { kind: "column", column, source: { ...found, ...found.into?.[column.type] } };
  const isDerived = column.name === "batch_date" && isFact(table) && table.bucket !== undefined;
  return { kind: isDerived ? "derived" : "none", column };
}

/** Returns the column of this name, else the only one whose name differs in letter case and blanks alone. */
function findColumn(source: readonly SourceColumn[], name: string): SourceColumn | undefined {
  const alike = alikeColumns(source, name);
  return source.find((column) => column.name === name) ?? (alike.length === 1 ? alike[0] : undefined);
}

function alikeColumns(source: readonly SourceColumn[], name: string): SourceColumn[] {
  return source.filter((column) => columnName(column.name) === columnName(name));
}

/** Names with blanks around them are in quotation marks, so that these are seen. */
function said(columns: readonly SourceColumn[]): string {
  return columns.map(({ name }) => (name === name.trim() && name !== "" ? name : JSON.stringify(name))).join(", ");
}
