import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { type BenchRun, readRecord, recordText, withRun } from "./benchmarks-record.ts";

const NAMES = ["jobs", "map", "tick"];

function run(commit: string): BenchRun {
  return { processors: "2", memory: "8 GiB", node: "v24", load: "0.1", date: "2026-11-23", seconds: 1, rows: [{ ms: 1 }], commit };
}

it("renews the part of a benchmark and keeps the others, in the order of the benchmarks", () => {
  const record = withRun(withRun(withRun({}, "tick", run("a"), NAMES), "jobs", run("a"), NAMES), "tick", run("b"), NAMES);
  expect(Object.entries(record).map(([name, { commit }]) => [name, commit])).toEqual([
    ["jobs", "a"],
    ["tick", "b"],
  ]);
});

it("leaves out what is no benchmark any more", () => {
  expect(Object.keys(withRun({ gone: run("a"), map: run("a") }, "jobs", run("b"), NAMES))).toEqual(["jobs", "map"]);
});

it("reads what it has written, nothing where nothing was written, and refuses anything else", () => {
  const folder = mkdtempSync(join(tmpdir(), "populus-record-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "benchmarks.json");
  expect(readRecord(file)).toEqual({});
  writeFileSync(file, recordText({ jobs: run("a") }));
  expect(readRecord(file)).toEqual({ jobs: run("a") });
  writeFileSync(file, '{ "jobs": { "commit": "a" } }');
  expect(() => readRecord(file)).toThrow();
});
