import { expect, it } from "vitest";
import { benchmarksPage } from "./benchmarks-page.ts";

const MACHINE = { processors: "2 of a kind", memory: "8 GiB", node: "v24", date: "2026-11-23", commit: "abc", load: "0.1" };

it("shows rows that are met, those that are not, those without a budget, and benchmarks that did not finish", () => {
  const jobs = { bench: "jobs", what: "a job", ms: 12.3456, budget_ms: 10, ratio: 1.23456, met: false, not_met: "time", why: "the query" };
  const start = {
    bench: "start",
    engines: "embedded",
    ready_ms: 1900,
    operations: { "jobs read": 3 },
    sizes: [1, 10],
    budget_ms: 2000,
    met: true,
  };
  const page = benchmarksPage(
    MACHINE,
    [
      { name: "jobs", seconds: 3.4, rows: [jobs, { bench: "jobs", what: "bare | alone", ms: 1 }] },
      { name: "start", seconds: 9, rows: [start], failure: "it exited with 1" },
    ],
    ["console"],
  );
  const cells = page.split("\n").map((line) => line.replace(/\s*\|\s*/g, "|"));
  expect(cells).toEqual(
    expect.arrayContaining([
      "2 rows have a budget, 1 of them are met.",
      "Not run: console.",
      "**start did not finish**: it exited with 1",
      "|jobs|a job|ms 10|1.23|time: the query|",
      "|a job|ms 12.3|ms 10|1.23|**no**|",
      "|engines embedded|ready ms 1,900, operations (jobs read 3), sizes 1 / 10|ms 2,000|–|yes|",
    ]),
  );
  expect(page).toContain("bare \\| alone");
});
