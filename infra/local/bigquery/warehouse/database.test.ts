import { mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { expect, onTestFinished, test } from "vitest";
import { Database, inTransaction } from "./database.ts";

const MADE = "CREATE OR REPLACE TABLE made AS SELECT number, concat('name ', number % 7) AS name FROM range(300000) AS numbers(number)";
const COUNTED = "SELECT count(*)::INTEGER AS rows, count(DISTINCT name)::INTEGER AS names FROM made";

function options() {
  const folder = mkdtempSync(join(tmpdir(), "populus-database-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return { path: join(folder, "warehouse.duckdb"), tempDir: folder, folders: [folder], connections: 1, memoryLimit: "256MB" };
}

/** Runs statements on a file as DuckDB opens it by itself, and returns the rows of the last. */
async function inPlainDuckDb(path: string, ...statements: readonly string[]): Promise<unknown[]> {
  const instance = await DuckDBInstance.create(path);
  const connection = await instance.connect();
  let rows: unknown[] = [];
  for (const sql of statements) rows = (await connection.runAndReadAll(sql)).getRowObjects();
  connection.closeSync();
  instance.closeSync();
  return rows;
}

async function inDatabase(opened: ReturnType<typeof options>, ...statements: readonly string[]): Promise<unknown[]> {
  const database = await Database.open(opened);
  let rows: unknown[] = [];
  for (const sql of statements) rows = await database.use(async (connection) => (await connection.runAndReadAll(sql)).getRowObjects());
  await database.close();
  return rows;
}

test("a damaged file is named, with what to do", async () => {
  const opened = options();
  writeFileSync(opened.path, "");
  const says = `${opened.path} is damaged: it is no whole DuckDB database. Start with another data folder, restore the file from a copy, or delete it`;
  await expect(Database.open(opened)).rejects.toThrow(says);
  const cut = options();
  await inPlainDuckDb(cut.path, MADE, "CHECKPOINT");
  truncateSync(cut.path, 300_000);
  await expect(Database.open(cut)).rejects.toThrow(`${cut.path} is damaged`);
});

test("a file of DuckDB's default format, as older versions of the service made it, is read and written, and stays readable to them", async () => {
  const opened = options();
  await inPlainDuckDb(opened.path, MADE, "CHECKPOINT");
  expect(await inDatabase(opened, COUNTED)).toEqual([{ rows: 300_000, names: 7 }]);
  expect(await inDatabase(opened, MADE, "INSERT INTO made VALUES (1, 'more')", "CHECKPOINT", COUNTED)).toEqual([
    { rows: 300_001, names: 8 },
  ]);
  expect(await inPlainDuckDb(opened.path, COUNTED)).toEqual([{ rows: 300_001, names: 8 }]);
});

test("a new file is read and written by an older version of the service, too", async () => {
  const opened = options();
  await inDatabase(opened, MADE, "CHECKPOINT");
  expect(await inPlainDuckDb(opened.path, COUNTED)).toEqual([{ rows: 300_000, names: 7 }]);
  await inPlainDuckDb(opened.path, "INSERT INTO made VALUES (1, 'more')");
  expect(await inDatabase(opened, COUNTED)).toEqual([{ rows: 300_001, names: 8 }]);
});

test.each(["BEGIN TRANSACTION", "ROLLBACK"])("an interrupt that ends a %s leaves no connection in a transaction", async (statement) => {
  const database = await Database.open(options());
  onTestFinished(() => database.close());
  await database.use(async (connection) => {
    let interrupts = 1;
    const run = async (sql: string) => {
      // A BEGIN has begun when it is interrupted, a ROLLBACK has not rolled back.
      if (sql !== "ROLLBACK" || sql !== statement || interrupts === 0) await connection.run(sql);
      if (sql === statement && interrupts-- > 0) throw new Error("INTERRUPT Error: Interrupted!");
      return connection.run("SELECT 1");
    };
    const work = () => connection.run("SELECT error('the work failed')");
    await expect(inTransaction({ run }, work)).rejects.toThrow(statement === "ROLLBACK" ? "the work failed" : "Interrupted");
    await connection.run("BEGIN TRANSACTION");
    expect((await connection.runAndReadAll("SELECT 1 AS one")).getRowObjects()).toEqual([{ one: 1 }]);
  });
});
