import { readFile } from "node:fs/promises";
import { gunzipSync } from "node:zlib";
import type { BigQuery } from "@google-cloud/bigquery";
import { afterAll, beforeAll, expect, it } from "vitest";
import { BUCKET, LOCATION, startWarehouseUnderTest, type WarehouseUnderTest } from "../../engines/warehouse-under-test.ts";

const DDL = `
  CREATE SCHEMA facts OPTIONS (location = '${LOCATION}');
  CREATE TABLE facts.people (id INT64 NOT NULL, name STRING, day DATE, seen_at TIMESTAMP, share FLOAT64, open BOOL);
`;

let warehouse: WarehouseUnderTest;
let client: BigQuery;

beforeAll(async () => {
  warehouse = await startWarehouseUnderTest({ ddl: DDL });
  client = warehouse.client;
  await client
    .dataset("facts")
    .table("people")
    .insert([
      { id: 1, name: 'a "b", c\nd', day: "2026-01-01", seen_at: "2026-01-01T10:00:00.25Z", share: 0.5, open: true },
      { id: 2, name: "" },
      { id: 3, share: "NaN", seen_at: "2026-01-01T00:00:00Z" },
    ]);
});

afterAll(() => warehouse.close());

async function exportTo(folder: string, options: string, sql: string): Promise<{ fileCount: string; rowCount: string }> {
  const [job] = await client.createQueryJob(`EXPORT DATA OPTIONS (uri = 'gs://${BUCKET}/${folder}/part-*', ${options}) AS ${sql}`);
  await job.getQueryResults();
  const [{ statistics }] = await job.getMetadata();
  expect(statistics.query.statementType).toBe("EXPORT_DATA");
  return statistics.query.exportDataStatistics;
}

async function files(folder: string): Promise<Map<string, Buffer>> {
  const { items } = warehouse.store.list(BUCKET, { prefix: `${folder}/` });
  return new Map(
    await Promise.all(
      items.map(
        async ({ name }): Promise<[string, Buffer]> => [
          name.slice(folder.length + 1),
          await readFile(warehouse.store.read(BUCKET, name).path),
        ],
      ),
    ),
  );
}

const ALL = "SELECT id, name, day, seen_at, share, open FROM facts.people ORDER BY id";
const FIRST = "part-000000000000";

it("writes CSV as BigQuery does: header, quotes, times in UTC", async () => {
  expect(await exportTo("csv", "format = 'CSV', header = TRUE", ALL)).toEqual({ fileCount: "1", rowCount: "3" });
  expect((await files("csv")).get(FIRST)?.toString()).toBe(
    'id,name,day,seen_at,share,open\n1,"a ""b"", c\nd",2026-01-01,2026-01-01 10:00:00.25 UTC,0.5,true\n2,"",,,,\n3,,,2026-01-01 00:00:00 UTC,NaN,\n',
  );
});

it("writes JSON as BigQuery does: integers as strings, nulls omitted", async () => {
  await exportTo("json", "format = 'JSON'", ALL);
  const lines = (await files("json"))
    .get(FIRST)
    ?.toString()
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines).toEqual([
    { id: "1", name: 'a "b", c\nd', day: "2026-01-01", seen_at: "2026-01-01 10:00:00.25 UTC", share: 0.5, open: true },
    { id: "2", name: "" },
    { id: "3", seen_at: "2026-01-01 00:00:00 UTC", share: "NaN" },
  ]);
});

it("writes nested data as JSON, and rejects it as CSV", async () => {
  const nested = "SELECT STRUCT(1 AS a, 'x' AS b) AS r, [1, 2] AS l";
  await exportTo("nested", "format = 'JSON'", nested);
  expect((await files("nested")).get(FIRST)?.toString()).toBe('{"r":{"a":"1","b":"x"},"l":["1","2"]}\n');
  await expect(exportTo("nested-csv", "format = 'CSV'", nested)).rejects.toMatchObject({
    code: 400,
    message: "Operation cannot be performed on a nested schema. Field: r",
  });
});

it("writes another delimiter if requested, and a header only if requested", async () => {
  await exportTo("plain", "format = 'CSV', field_delimiter = ';'", "SELECT id, day FROM facts.people WHERE id = 1");
  expect((await files("plain")).get(FIRST)?.toString()).toBe("1;2026-01-01\n");
});

it("writes Parquet with the same types", async () => {
  await exportTo("parquet", "format = 'PARQUET', compression = 'SNAPPY'", ALL);
  const content = (await files("parquet")).get(FIRST);
  expect(content?.subarray(0, 4).toString()).toBe("PAR1");
});

it("writes one file with only the header if there are no rows", async () => {
  expect(
    await exportTo("empty", "format = 'CSV', header = TRUE, compression = 'GZIP'", "SELECT id FROM facts.people WHERE id > 50"),
  ).toEqual({
    fileCount: "1",
    rowCount: "0",
  });
  const content = (await files("empty")).get(FIRST);
  expect(gunzipSync(content ?? "").toString()).toBe("id\n");
});

it("splits a large compressed export into several files in order, each with the header", async () => {
  // About 140 MB of text: three files.
  const sql = `SELECT n, 'quoted "${"x".repeat(700)}"\\nline' AS text FROM UNNEST(GENERATE_ARRAY(1, 200000)) AS n ORDER BY n`;
  const { fileCount, rowCount } = await exportTo("large", "format = 'CSV', header = TRUE, compression = 'GZIP'", sql);
  expect({ fileCount, rowCount }).toEqual({ fileCount: "3", rowCount: "200000" });
  const written = await files("large");
  let next = 1;
  for (const [index, name] of [FIRST, "part-000000000001", "part-000000000002"].entries()) {
    const text = gunzipSync(written.get(name) ?? "").toString();
    expect(text.startsWith("n,text\n"), `file ${index}`).toBe(true);
    for (const match of text.matchAll(/^(\d+),"quoted ""x{700}""\nline"$/gm)) {
      if (Number(match[1]) !== next) throw new Error(`row ${match[1]} comes where ${next} should`);
      next += 1;
    }
  }
  expect(next).toBe(200_001);
});

it("replaces files only with overwrite", async () => {
  await exportTo("again", "format = 'CSV'", "SELECT 1 AS x");
  await expect(exportTo("again", "format = 'CSV'", "SELECT 2 AS x")).rejects.toMatchObject({
    code: 409,
    errors: [{ reason: "duplicate" }],
  });
  await exportTo("again", "format = 'CSV', overwrite = TRUE", "SELECT 3 AS x");
  expect((await files("again")).get(FIRST)?.toString()).toBe("3\n");
});

it("publishes no file of a failed export", async () => {
  const sql = "SELECT CAST(name AS INT64) AS n FROM facts.people ORDER BY n";
  await expect(exportTo("failed", "format = 'CSV', compression = 'GZIP'", sql)).rejects.toMatchObject({ code: 400 });
  expect(await files("failed")).toEqual(new Map());
});

it("rejects a missing bucket and a URI without a star", async () => {
  await expect(client.query("EXPORT DATA OPTIONS (uri = 'gs://nowhere/part-*', format = 'CSV') AS SELECT 1 AS x")).rejects.toMatchObject({
    code: 404,
  });
  await expect(client.query(`EXPORT DATA OPTIONS (uri = 'gs://${BUCKET}/part', format = 'CSV') AS SELECT 1 AS x`)).rejects.toMatchObject({
    code: 400,
  });
});
