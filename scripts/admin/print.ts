import { printTable } from "../table.ts";

/** Returns a table as lines. */
export function table(rows: readonly object[]): string[] {
  const lines: string[] = [];
  printTable(rows, (line) => lines.push(line));
  return lines;
}

/** Returns names and values as aligned lines. */
export function fields(values: Readonly<Record<string, string | number>>): string[] {
  const width = Math.max(...Object.keys(values).map((name) => name.length));
  return Object.entries(values).map(([name, value]) => `   ${name.padEnd(width)}  ${value}`);
}

/** Returns a count with its noun: `1 key`, `2 keys`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}

/** Returns values joined by commas, or a dash if there are none. */
export function list(values: readonly string[]): string {
  return values.join(", ") || "–";
}

/** Returns a time to the minute, in UTC: `2026-11-21 12:00Z`. */
export function minute(time: Date): string {
  return `${time.toISOString().slice(0, 16).replace("T", " ")}Z`;
}
