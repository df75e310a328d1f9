import { printTable } from "../table.ts";

/** A table for people, as lines. */
export function table(rows: readonly object[]): string[] {
  const lines: string[] = [];
  printTable(rows, (line) => lines.push(line));
  return lines;
}

/** Names and values, one a line. */
export function fields(values: Readonly<Record<string, string | number>>): string[] {
  const width = Math.max(...Object.keys(values).map((name) => name.length));
  return Object.entries(values).map(([name, value]) => `   ${name.padEnd(width)}  ${value}`);
}

/** `1 key`, `2 keys`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}

/** Values, or a dash where there is none. */
export function list(values: readonly string[]): string {
  return values.join(", ") || "–";
}

/** A time to the minute, for people. */
export function minute(time: Date): string {
  return `${time.toISOString().slice(0, 16).replace("T", " ")}Z`;
}
