import { markdownTable } from "../documents/markdown-table.ts";
import type { BenchRow } from "./benchmarks-record.ts";
import { budgetText, cell, figuresOf, subjectOf, words } from "./row-words.ts";

/** From so many rows on, what is the same in all of them is said once. */
const MANY = 3;
/** Longer texts stand in the last column. */
const SHORT_MAX = 24;

/** Returns the tables of a benchmark's rows: one for those that follow each other with the same figures, which are its columns. */
export function benchmarkTables(rows: readonly BenchRow[]): string[] {
  const groups: BenchRow[][] = [];
  let last = "";
  for (const row of rows) {
    const kind = figuresOf(row)
      .map(([name]) => name)
      .join();
    if (kind !== last || groups.length === 0) groups.push([]);
    groups.at(-1)?.push(row);
    last = kind;
  }
  return groups.flatMap(tableOf);
}

/** A column of a table: its name, and a text for each row. */
interface Column {
  readonly name: string;
  readonly cells: readonly string[];
}

function tableOf(rows: readonly BenchRow[]): string[] {
  const names = figuresOf(rows[0] ?? {}).map(([name]) => name);
  const figures = names.map((name): Column => ({ name: words(name), cells: rows.map((row) => cell(row[name])) }));
  const isLong = ({ cells }: Column): boolean => cells.some((text) => text.length > SHORT_MAX);
  const columns: Column[] = [
    ...figures.filter((column) => !isLong(column)),
    { name: "budget", cells: rows.map(budgetText) },
    { name: "ratio", cells: rows.map(({ ratio }) => cell(ratio)) },
    { name: "met", cells: rows.map(metOf) },
    ...figures.filter(isLong),
  ].filter(({ cells }) => cells.some((text) => text !== "–"));
  const isSame = ({ name, cells }: Column): boolean => rows.length >= MANY && name !== "met" && new Set(cells).size === 1;
  const same = columns.filter(isSame).map(({ name, cells }) => (name === "budget" ? `budget: ${cells[0]}` : `${name} ${cells[0]}`));
  const shown: Column[] = [{ name: "what", cells: rows.map(subjectOf) }, ...columns.filter((column) => !isSame(column))];
  const table = markdownTable(
    shown.map(({ name }) => name),
    rows.map((_row, index) => shown.map(({ cells }) => cells[index] ?? "")),
  );
  return same.length === 0 ? [table] : [`In each row: ${same.join("; ")}.`, table];
}

function metOf({ met }: BenchRow): string {
  return typeof met === "boolean" ? (met ? "yes" : "**no**") : "–";
}
