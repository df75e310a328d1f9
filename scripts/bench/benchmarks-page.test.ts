import { expect, it } from "vitest";
import { benchmarksPage } from "./benchmarks-page.ts";
import type { BenchRow, BenchRun } from "./benchmarks-record.ts";

function run(rows: readonly BenchRow[], others: Partial<BenchRun> = {}): BenchRun {
  const machine = { processors: "2 of a kind", memory: "8 GiB", node: "v24", load: "0.1" };
  return { ...machine, date: "2026-11-23", commit: "abc", seconds: 3.4, rows: [...rows], ...others };
}

/** The page's lines; those of tables without their padding, and without the line under their head. */
function linesOf(record: Readonly<Record<string, BenchRun>>, names = Object.keys(record)): string[] {
  return benchmarksPage(record, names)
    .split("\n")
    .filter((line) => !/^\| -/.test(line))
    .map((line) => line.replace(/\s*\|\s*/g, "|"));
}

it("says of each benchmark when it ran, at which commit, and how much is met", () => {
  const rows = [{ what: "a", met: true }, { what: "b", met: false }, { what: "c" }];
  const lines = linesOf({ jobs: run(rows), map: run([{ what: "d", met: true }], { date: "2026-11-25", commit: "def", seconds: 20 }) }, [
    "console",
    "jobs",
    "map",
  ]);
  expect(lines).toEqual(
    expect.arrayContaining([
      "Machine: 2 of a kind, 8 GiB, Node v24.",
      "3 rows have a budget, 2 of them are met.",
      "|[jobs](#jobs)|1 of 2|3|2026-11-23|abc|0.1|",
      "|[map](#map)|all 1|20|2026-11-25|def|0.1|",
      "Not run: console.",
    ]),
  );
});

it("says which machine each benchmark ran on, where these differ", () => {
  const lines = linesOf({ jobs: run([]), map: run([], { memory: "16 GiB" }) });
  expect(lines).toContain("|[map](#map)|–|3|2026-11-23|abc|0.1|2 of a kind, 16 GiB, Node v24|");
  expect(lines.join("\n")).not.toContain("Machine:");
});

it("gives rows with the same figures a table, with long ones last, and says once what is the same in many", () => {
  const row = (name: string, ms: number, operations: object) => ({
    ...{ bench: "cost", function: name, ms, operations, retries: 0, sizes: [1, 10], budget_reads: 3, ratio: ms / 10, met: true },
  });
  const lines = linesOf({
    cost: run([
      row("maps-list", 12.3456, { "apiKeys read": 2, "usage/keyUses read": 1 }),
      row("maps-show", 1900, { "apiKeys read": 2 }),
      row("docs | page", 0.00123, {}),
      { bench: "cost", what: "a tick", maps: 100, ms: 1 },
    ]),
  });
  expect(lines.slice(lines.indexOf("## cost"))).toEqual([
    "## cost",
    "",
    "In each row: retries 0; sizes 1 / 10; budget: reads 3.",
    "",
    "|what|ms|ratio|met|operations|",
    "|maps-list|12.3|1.23|yes|apiKeys read 2, usage/keyUses read 1|",
    "|maps-show|1,900|190|yes|apiKeys read 2|",
    "|docs \\|page|0.00123|0.000123|yes|–|",
    "",
    "|what|ms|",
    "|a tick, maps 100|1|",
    "",
  ]);
});

it("says of the rows that are not met what they miss and why, once for those that miss the same", () => {
  const cold = (name: string, ratio: number) => ({ function: name, ratio, met: false, not_met: "time", budget_ratio: 1.9 });
  const lines = linesOf({
    "cold-start": run([cold("a", 2.25), cold("b", 2), cold("c", 3), cold("d", 2.5)]),
    cost: run([
      { function: "customers-me", reads: 4, budget_reads: 3, met: false },
      { function: "maps-list", reads: 2, budget_reads: 3, met: true },
    ]),
    jobs: run([{ what: "many", per_second: 50, budget_per_second: 60, ratio: 1.2, budget_ratio: 1.5, met: false, why: "the query" }]),
    start: run([
      { what: "to ready", ready_ms: 2100, budget_ms: 2000, met: false },
      { what: "to complete sample", ready_ms: 2000, budget_ms: 10_000, met: false },
    ]),
  });
  const from = lines.indexOf("## Not met") + 3;
  expect(lines.slice(from, lines.indexOf("## cold-start") - 1)).toEqual([
    expect.stringMatching(/^\|cold-start\|a; b; c; and 1 more\|time\|2 to 3\|.*Google's clients.*\|$/),
    "|cost|customers-me|reads 4, not 3|–|not known yet|",
    "|jobs|many|per second 50, not 60|1.2|the query|",
    "|start|to ready|budget: ms 2,000|–|not known yet|",
    expect.stringMatching(/^\|start\|to complete sample\|budget: ms 10,000\|–\|.*Activities.*\|$/),
  ]);
});

it("says that nothing is missed, and which benchmarks did not finish", () => {
  const lines = linesOf({ jobs: run([{ what: "a job", met: true }], { failure: "it exited with 1" }) });
  expect(lines).toContain("None.");
  expect(lines).toContain("**jobs did not finish**: it exited with 1");
});
