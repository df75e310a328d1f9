import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { expect, onTestFinished, test } from "vitest";
import { prepared, refusalOf } from "./testing/prepared.ts";

async function madeParquet(query: string): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), "populus-import-test-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const file = join(directory, "made.parquet");
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  await connection.run("SET TimeZone = 'UTC'");
  await connection.run(`COPY (${query}) TO '${file}' (FORMAT parquet)`);
  connection.closeSync();
  instance.closeSync();
  return file;
}

const FLOW =
  "'EST' AS country_code, 1.0::DOUBLE AS link_id, TIMESTAMPTZ '2026-03-01 10:00:00Z' AS time_bucket, 1::TINYINT AS direction, 5::DECIMAL(9, 2) AS people, 6::UINTEGER AS devices";

test("integers of any type and times are read exactly", async () => {
  const { rows } = await prepared(
    "flows_hourly",
    await madeParquet(`SELECT ${FLOW} UNION ALL BY NAME SELECT * REPLACE (41245153000000.0::DOUBLE AS link_id) FROM (SELECT ${FLOW})`),
  );
  expect(rows).toEqual([
    {
      country_code: "EST",
      link_id: "1",
      time_bucket: "2026-03-01 10:00:00+00",
      direction: "1",
      people: "5",
      devices: "6",
      batch_date: "2026-03-01",
    },
    expect.objectContaining({ link_id: "41245153000000" }),
  ]);
});

test("a bad value is reported with row, column and value", async () => {
  const file = await madeParquet(`SELECT ${FLOW} UNION ALL BY NAME SELECT * REPLACE (3.5 AS people, 2 AS link_id) FROM (SELECT ${FLOW})`);
  expect(await refusalOf("flows_hourly", file)).toContain('row 2, column people: "3.50" is not a whole number');
});

test("a NULL in a required column is a missing value", async () => {
  expect(await refusalOf("flows_hourly", await madeParquet(`SELECT * REPLACE (NULL::BIGINT AS devices) FROM (SELECT ${FLOW})`))).toContain(
    "row 1, column devices: a value is missing",
  );
});

test("a time without a zone is rejected", async () => {
  const file = await madeParquet(`SELECT * REPLACE (TIMESTAMP '2026-03-01 10:00:00' AS time_bucket) FROM (SELECT ${FLOW})`);
  expect(await refusalOf("flows_hourly", file)).toContain('row 1, column time_bucket: "2026-03-01 10:00:00" has no offset');
});

test("a list or blob column is rejected if it is used", async () => {
  const file = await madeParquet(`SELECT *, [1, 2] AS extra FROM (SELECT ${FLOW})`);
  expect((await prepared("flows_hourly", file)).rows).toHaveLength(1);
  expect(await refusalOf("flows_hourly", file, "--column", "people=extra")).toContain(
    "people: the file's column extra is of type INTEGER[]",
  );
});

test("a file without rows is rejected", async () => {
  expect(await refusalOf("flows_hourly", await madeParquet(`SELECT ${FLOW} LIMIT 0`))).toBe("FILE has no rows");
});
