import { existsSync, readFileSync } from "node:fs";
import * as v from "valibot";
import { BENCHMARKS } from "../usage.ts";

const Row = v.record(v.string(), v.unknown());

/** What one run of a benchmark printed, where and when, and why it ended before its end, if it did. */
const BenchRun = v.strictObject({
  date: v.string(),
  commit: v.string(),
  processors: v.string(),
  memory: v.string(),
  node: v.string(),
  /** The machine's load when it began. */
  load: v.string(),
  seconds: v.number(),
  rows: v.array(Row),
  failure: v.optional(v.string()),
});

/** A line of a benchmark's output. */
export type BenchRow = v.InferOutput<typeof Row>;
export type BenchRun = v.InferOutput<typeof BenchRun>;

/** The last run of each benchmark, by its name. */
const BenchRecord = v.record(v.string(), BenchRun);
export type BenchRecord = v.InferOutput<typeof BenchRecord>;

/** Returns the names of all benchmarks, in the order of the page. */
export function benchmarkNames(): string[] {
  return Object.keys(BENCHMARKS).filter((name) => name !== "all");
}

/** Reads what was recorded. Nothing if there is no file yet. Throws if its content is something else. */
export function readRecord(file: string): BenchRecord {
  return existsSync(file) ? v.parse(BenchRecord, JSON.parse(readFileSync(file, "utf8"))) : {};
}

/** Returns the record with a benchmark's new run in the place of its former one, in the order of these names. Others than these are left out. */
export function withRun(record: BenchRecord, name: string, run: BenchRun, names: readonly string[]): BenchRecord {
  const all = new Map(Object.entries({ ...record, [name]: run }));
  return Object.fromEntries(
    names.flatMap((known) => {
      const kept = all.get(known);
      return kept ? [[known, kept]] : [];
    }),
  );
}

export function recordText(record: BenchRecord): string {
  return `${JSON.stringify(record, undefined, 1)}\n`;
}
