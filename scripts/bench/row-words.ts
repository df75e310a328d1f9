import type { BenchRow } from "./benchmarks-record.ts";

/** Members that say what a row is about, in the order in which they are named. */
const SUBJECTS = ["what", "function", "format", "engines", "maps", "days"];
/** Members that are no figure of the row. */
const LEFT_OUT = new Set(["bench", "met", "not_met", "why", "ratio", "runs", "load", "status", "rss_of", "baseline", "as_of", ...SUBJECTS]);
const BUDGET = /^budget(_|$)/;

/** Returns what a row is about. */
export function subjectOf(row: BenchRow): string {
  const named = SUBJECTS.filter((name) => row[name] !== undefined).map((name) =>
    name === "what" || name === "function" ? String(row[name]) : `${words(name)} ${cell(row[name])}`,
  );
  return [...named, ...(isAbout(row) ? [`clients ${cell(row.clients)}`] : [])].join(", ");
}

/** Whether a row is about a number of clients. Those of a function are its packages. */
function isAbout({ clients }: BenchRow): boolean {
  return typeof clients === "number";
}

/** Returns a row's figures by name, without its budgets. */
export function figuresOf(row: BenchRow): [name: string, value: unknown][] {
  return Object.entries(row).filter(([name]) => !LEFT_OUT.has(name) && !BUDGET.test(name) && !(name === "clients" && isAbout(row)));
}

/** Returns a row's budgets by what they are of: `""` is the ratio's or the only figure's. */
export function budgetsOf(row: BenchRow): [name: string, value: unknown][] {
  return Object.entries(row).flatMap(([name, value]): [string, unknown][] =>
    BUDGET.test(name) ? [[name.replace(BUDGET, "").replace(/_max$/, ""), value]] : [],
  );
}

/** Returns a row's budgets in words: `ratio 1.9, memory mib 110`. */
export function budgetText(row: BenchRow): string {
  const budgets = budgetsOf(row);
  return budgets.length === 0 ? "–" : budgets.map(([name, value]) => `${words(name)} ${cell(value)}`.trim()).join(", ");
}

export function words(name: string): string {
  return name.replaceAll("_", " ");
}

/** Returns a value as a table shows it: numbers with three digits that say something, lists with slashes. */
export function cell(value: unknown): string {
  if (typeof value === "number")
    return Number.isInteger(value) || Math.abs(value) >= 1000
      ? Math.round(value).toLocaleString("en-GB")
      : String(Number(value.toPrecision(3)));
  if (Array.isArray(value)) return value.length === 0 ? "–" : value.map(cell).join(" / ");
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value).map(([name, of]) => `${words(name)} ${cell(of)}`);
    return members.length === 0 ? "–" : members.join(", ");
  }
  return value === undefined || value === null ? "–" : String(value);
}
