import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { afterEach, beforeEach, expect, it } from "vitest";
import { BackgroundThreads } from "./background-threads.ts";

const ALL = 3;
/** Two row groups of DuckDB. */
const SHARED_ROWS = 245_760;

let instance: DuckDBInstance;
let connection: DuckDBConnection;
let threads: BackgroundThreads;

beforeEach(async () => {
  instance = await DuckDBInstance.create(":memory:", { threads: String(ALL) });
  connection = await instance.connect();
  threads = await BackgroundThreads.open(await instance.connect());
});

afterEach(async () => {
  await threads.close();
  connection.closeSync();
  instance.closeSync();
});

/** Returns how many threads DuckDB is set to have besides those that statements run on. */
async function existing(): Promise<number> {
  const reader = await connection.runAndReadAll("SELECT current_setting('threads') - current_setting('external_threads')");
  return Number(reader.getRows()[0]?.[0]);
}

/** Resolves to what exists once nothing is left to begin or end. */
async function existingAfterwards(): Promise<number> {
  await threads.settled();
  return existing();
}

it("ends the threads at the beginning", async () => {
  expect(await existing()).toBe(0);
});

it("has them exist for work that can share them, and for as long as one is at work", async () => {
  const { promise: over, resolve: end } = Promise.withResolvers<void>();
  const longer = threads.use(() => over);
  expect(await threads.use(existing)).toBe(ALL - 1);
  expect(await existingAfterwards()).toBe(ALL - 1);
  end();
  await longer;
  expect(await existingAfterwards()).toBe(0);
});

it("has none for work that reads few rows", async () => {
  expect(await threads.forRows(SHARED_ROWS - 1, existing)).toBe(0);
  expect(await threads.forRows(SHARED_ROWS, existing)).toBe(ALL - 1);
});

it("ends them after work that fails, whose error it passes on", async () => {
  await expect(threads.use(() => Promise.reject(new Error("no such table")))).rejects.toThrow("no such table");
  expect(await existingAfterwards()).toBe(0);
});

it("has them exist for ever once they are kept", async () => {
  await threads.keep();
  await threads.use(existing);
  expect(await existingAfterwards()).toBe(ALL - 1);
});

it("begins and ends them while statements run, which all get their rows", async () => {
  const sums = await Promise.all(
    Array.from({ length: 12 }, async (_, index) => {
      const own = await instance.connect();
      const sum = () => own.runAndReadAll("SELECT sum(number)::BIGINT FROM range(400000) AS numbers(number) WHERE number % 7 > 2");
      const reader = index % 2 === 0 ? await threads.use(sum) : await sum();
      own.closeSync();
      return reader.getRows()[0]?.[0];
    }),
  );
  const expected = Array.from({ length: 400_000 }, (_, number) => (number % 7 > 2 ? number : 0)).reduce((sum, number) => sum + number, 0);
  expect(new Set(sums)).toEqual(new Set([BigInt(expected)]));
  expect(await existingAfterwards()).toBe(0);
});
