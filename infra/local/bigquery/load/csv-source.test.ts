import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { expect, onTestFinished, test } from "vitest";
import { csvSource } from "./csv-source.ts";

const FORMAT = { fieldDelimiter: ",", quote: '"', nullMarker: "", skipLeadingRows: 1, allowQuotedNewlines: false };

/** Reads a file with the memory that a database in a file has on a machine with two processors. */
async function read(text: string): Promise<unknown> {
  const folder = mkdtempSync(join(tmpdir(), "csv-source-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "rows.csv");
  writeFileSync(file, text);
  const instance = await DuckDBInstance.create(":memory:", { memory_limit: "256MB", threads: "2" });
  const connection = await instance.connect();
  const reader = await connection.runAndReadAll(`SELECT count(*)::INTEGER, max(length(c0))::INTEGER FROM ${csvSource(file, 2, FORMAT)}`);
  connection.closeSync();
  instance.closeSync();
  return reader.getRows()[0];
}

test("a small file needs no more memory than a database in a file has", async () => {
  expect(await read("a,b\nx,1\nyy,2\n")).toEqual([2, 2]);
});

test("a file of one long line is read whole", async () => {
  expect(await read(`a,b\n${"x".repeat(20_000_000)},1\n`)).toEqual([1, 20_000_000]);
});

test("a file larger than one buffer is read whole", async () => {
  expect(await read(`a,b\n${`${"x".repeat(1000)},1\n`.repeat(40_000)}`)).toEqual([40_000, 1000]);
});
