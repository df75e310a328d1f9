import { markdownTable } from "../documents/markdown-table.ts";

/** A line of a benchmark's output. */
export type BenchRow = Readonly<Record<string, unknown>>;

/** What one benchmark printed, and why it ended before its end, if it did. */
export interface BenchRun {
  readonly name: string;
  readonly seconds: number;
  readonly rows: readonly BenchRow[];
  readonly failure?: string | undefined;
}

/** Where and when benchmarks ran. */
export interface BenchMachine {
  readonly processors: string;
  readonly memory: string;
  readonly node: string;
  readonly date: string;
  readonly commit: string;
  readonly load: string;
}

/** Members that say what a row is about, in the order in which they are named. */
const SUBJECTS = ["what", "function", "format", "engines", "maps", "clients", "days"];
/** Members that are no figure of the row. */
const LEFT_OUT = new Set(["bench", "met", "not_met", "why", "ratio", "runs", "load", "status", "rss_of", "baseline", "as_of", ...SUBJECTS]);
const isBudget = (name: string): boolean => name === "budget" || name.startsWith("budget_");

/** Returns the page of all benchmarks: the machine, the rows that do not meet their budgets, and a table for each benchmark. */
export function benchmarksPage(machine: BenchMachine, runs: readonly BenchRun[], notRun: readonly string[]): string {
  const all = runs.flatMap(({ name, rows }) => rows.map((row) => ({ name, row })));
  const judged = all.filter(({ row }) => typeof row.met === "boolean");
  const missed = judged.filter(({ row }) => row.met === false);
  const failed = runs.filter(({ failure }) => failure !== undefined);
  const parts = [
    "# Benchmarks",
    "Written by `npm run bench -- all`. Every figure is of one run on one machine; ratios are to a baseline of the same run.",
    markdownTable(
      ["what", "of this run"],
      Object.entries(machine).map(([name, value]) => [name, String(value)]),
    ),
    `${judged.length} rows have a budget, ${judged.length - missed.length} of them are met.`,
    ...(notRun.length > 0 ? [`Not run: ${notRun.join(", ")}.`] : []),
    ...failed.map(({ name, failure }) => `**${name} did not finish**: ${failure}`),
    "## Not met",
    missed.length === 0
      ? "None."
      : markdownTable(
          ["benchmark", "what", "budget", "ratio", "not met, and why"],
          missed.map(({ name, row }) => [
            name,
            subjectOf(row),
            budgetOf(row),
            cell(row.ratio),
            [row.not_met, row.why].filter((text) => typeof text === "string").join(": "),
          ]),
        ),
    ...runs.flatMap(tableOf),
  ];
  return `${parts.join("\n\n")}\n`;
}

function tableOf({ name, seconds, rows }: BenchRun): string[] {
  const lines = rows.map((row) => [subjectOf(row), figuresOf(row), budgetOf(row), cell(row.ratio), metOf(row)]);
  const head = ["what", "measured", "budget", "ratio", "met"];
  return [`## ${name}`, `${Math.round(seconds)} seconds.`, ...(lines.length > 0 ? [markdownTable(head, lines)] : [])];
}

function metOf({ met }: BenchRow): string {
  return typeof met === "boolean" ? (met ? "yes" : "**no**") : "–";
}

function subjectOf(row: BenchRow): string {
  return SUBJECTS.filter((name) => row[name] !== undefined)
    .map((name) => (name === "what" || name === "function" ? String(row[name]) : `${words(name)} ${cell(row[name])}`))
    .join(", ");
}

function budgetOf(row: BenchRow): string {
  const named = Object.entries(row).filter(([name]) => isBudget(name));
  return named.length === 0
    ? "–"
    : named.map(([name, value]) => `${words(name.replace(/^budget_?/, ""))} ${cell(value)}`.trim()).join(", ");
}

function figuresOf(row: BenchRow): string {
  return Object.entries(row)
    .filter(([name]) => !LEFT_OUT.has(name) && !isBudget(name))
    .map(([name, value]) => `${words(name)} ${cell(value)}`)
    .join(", ");
}

function words(name: string): string {
  return name.replaceAll("_", " ");
}

/** Returns a value as a table shows it: numbers with three digits that say something, lists with slashes. */
function cell(value: unknown): string {
  if (typeof value === "number")
    return Number.isInteger(value) || Math.abs(value) >= 1000
      ? Math.round(value).toLocaleString("en-GB")
      : String(Number(value.toPrecision(3)));
  if (Array.isArray(value)) return value.map(cell).join(" / ");
  if (typeof value === "object" && value !== null)
    return `(${Object.entries(value)
      .map(([name, of]) => `${words(name)} ${cell(of)}`)
      .join(", ")})`;
  return value === undefined || value === null ? "–" : String(value);
}
