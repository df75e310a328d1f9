import { markdownTable } from "../documents/markdown-table.ts";
import { benchmarkTables } from "./benchmark-tables.ts";
import type { BenchRecord, BenchRow, BenchRun } from "./benchmarks-record.ts";
import { notMetTable } from "./not-met.ts";

/** Returns the page of the last run of each benchmark: what was run where and when, the rows that do not meet their budgets, and the tables of all. */
export function benchmarksPage(record: BenchRecord, names: readonly string[]): string {
  const runs = Object.entries(record);
  const judged = runs.flatMap(([, { rows }]) => judgedOf(rows));
  const missing = names.filter((name) => !(name in record));
  const machines = new Set(runs.map(([, run]) => machineOf(run)));
  const parts = [
    "# Benchmarks",
    `Written by \`npm run bench -- all\`. Each part is of one run; ratios are to a baseline of the same run. With names, it renews the parts of these \
benchmarks.`,
    ...(machines.size === 1 ? [`Machine: ${[...machines][0]}.`] : []),
    `${judged.length} rows have a budget, ${judged.filter(({ met }) => met === true).length} of them are met.`,
    markdownTable(
      ["benchmark", "met", "seconds", "date", "commit", "load before", ...(machines.size > 1 ? ["machine"] : [])],
      runs.map(([name, run]) => [
        `[${name}](#${name})`,
        metOf(run),
        String(Math.round(run.seconds)),
        ...[run.date, run.commit, run.load],
        ...(machines.size > 1 ? [machineOf(run)] : []),
      ]),
    ),
    ...(missing.length > 0 ? [`Not run: ${missing.join(", ")}.`] : []),
    ...runs.flatMap(([name, { failure }]) => (failure === undefined ? [] : [`**${name} did not finish**: ${failure}`])),
    "## Not met",
    notMetTable(record),
    ...runs.flatMap(([name, { rows }]) => [`## ${name}`, ...benchmarkTables(rows)]),
  ];
  return `${parts.join("\n\n")}\n`;
}

function judgedOf(rows: readonly BenchRow[]): BenchRow[] {
  return rows.filter(({ met }) => typeof met === "boolean");
}

/** Returns how many rows of how many with a budget are met. */
function metOf({ rows }: BenchRun): string {
  const judged = judgedOf(rows);
  if (judged.length === 0) return "–";
  const met = judged.filter((row) => row.met === true).length;
  return met === judged.length ? `all ${met}` : `${met} of ${judged.length}`;
}

function machineOf({ processors, memory, node }: BenchRun): string {
  return `${processors}, ${memory}, Node ${node}`;
}
