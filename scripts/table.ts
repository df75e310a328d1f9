/** Prints rows as a table. The first row's members are the columns; numbers are right-aligned. */
export function printTable(rows: readonly object[], write: (line: string) => void = console.log): void {
  const [first] = rows;
  if (!first) {
    write("   (no rows)");
    return;
  }
  const names = Object.keys(first);
  const cells = rows.map((row) => {
    const values = new Map<string, unknown>(Object.entries(row));
    return names.map((name) => values.get(name) ?? "");
  });
  const widths = names.map((name, column) => Math.max(name.length, ...cells.map((row) => String(row[column]).length)));
  const pad = (value: unknown, column: number): string =>
    typeof value === "number" ? String(value).padStart(widths[column] ?? 0) : String(value).padEnd(widths[column] ?? 0);
  write(`   ${names.map(pad).join("  ")}`);
  write(`   ${widths.map((width) => "-".repeat(width)).join("  ")}`);
  for (const row of cells) write(`   ${row.map(pad).join("  ")}`);
}
