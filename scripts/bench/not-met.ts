import { markdownTable } from "../documents/markdown-table.ts";
import type { BenchRecord, BenchRow } from "./benchmarks-record.ts";
import { whyNotMet } from "./known-reasons.ts";
import { budgetsOf, budgetText, cell, subjectOf, words } from "./row-words.ts";

/** How many rows of one kind are named. */
const NAMED_MAX = 3;
/** Budgets that are the least that is allowed. */
const LEAST = new Set(["per_second", "times_faster"]);

interface Missed {
  readonly benchmark: string;
  readonly missed: string;
  readonly why: string;
  readonly rows: readonly BenchRow[];
}

/** Returns the table of the rows that do not meet their budgets, with the reasons that are known. Rows that miss the same for one reason are a line. */
export function notMetTable(record: BenchRecord): string {
  const kinds = new Map<string, Missed>();
  for (const [benchmark, { rows }] of Object.entries(record))
    for (const row of rows.filter(({ met }) => met === false)) {
      const missed = missedOf(row);
      const why = whyNotMet(benchmark, row, missed) ?? "not known yet";
      const key = JSON.stringify([benchmark, missed, why]);
      kinds.set(key, { benchmark, missed, why, rows: [...(kinds.get(key)?.rows ?? []), row] });
    }
  if (kinds.size === 0) return "None.";
  return markdownTable(
    ["benchmark", "what", "missed", "ratio", "why"],
    [...kinds.values()].map(({ benchmark, missed, why, rows }) => [benchmark, namesOf(rows), missed, ratiosOf(rows), why]),
  );
}

/** Returns what a row misses: as the benchmark says, else the figures that are beyond the budgets of their name, else its budgets. */
function missedOf(row: BenchRow): string {
  if (typeof row.not_met === "string") return row.not_met;
  const beyond = budgetsOf(row).filter(([name, budget]) => {
    const figure = row[name];
    if (typeof figure !== "number" || typeof budget !== "number") return false;
    return LEAST.has(name) ? figure < budget : figure > budget;
  });
  if (beyond.length === 0) return `budget: ${budgetText(row)}`;
  return beyond.map(([name, budget]) => `${words(name)} ${cell(row[name])}, not ${cell(budget)}`).join("; ");
}

function namesOf(rows: readonly BenchRow[]): string {
  const named = rows.slice(0, NAMED_MAX).map(subjectOf).join("; ");
  return rows.length > NAMED_MAX ? `${named}; and ${rows.length - NAMED_MAX} more` : named;
}

function ratiosOf(rows: readonly BenchRow[]): string {
  const ratios = rows.map(({ ratio }) => ratio).filter((ratio) => typeof ratio === "number");
  if (ratios.length === 0) return "–";
  const [least, most] = [cell(Math.min(...ratios)), cell(Math.max(...ratios))];
  return least === most ? least : `${least} to ${most}`;
}
