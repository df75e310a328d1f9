/** Returns a Markdown table with aligned columns. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const escaped = rows.map((row) => row.map((cell) => cell.replaceAll("|", "\\|")));
  const widths = head.map((name, column) => Math.max(3, name.length, ...escaped.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]): string => `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...escaped.map(line)].join("\n");
}
