import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as v from "valibot";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LOCATION, PROJECT, startWarehouseUnderTest, UID, type WarehouseUnderTest } from "../../engines/warehouse-under-test.ts";

/** The table of a query's rows, which the job names, in a later query of the one who ran it. */
let warehouse: WarehouseUnderTest;
let directory: string;
const OWNER = `warehouse-${UID}`;
const OTHER = "warehouse-globexco";
const HOUR = 3_600_000;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "populus-results-"));
  warehouse = await startWarehouseUnderTest({
    dataDirectory: directory,
    ddl: `CREATE SCHEMA customer_${UID} OPTIONS (location = '${LOCATION}'); CREATE TABLE customer_${UID}.t (n INT64);
      INSERT INTO customer_${UID}.t (n) VALUES (1), (2), (3); CREATE SCHEMA facts OPTIONS (location = '${LOCATION}')`,
  });
});

afterAll(async () => {
  await warehouse.close();
  await rm(directory, { recursive: true });
});

const Job = v.looseObject({
  configuration: v.looseObject({
    query: v.looseObject({ destinationTable: v.object({ projectId: v.string(), datasetId: v.string(), tableId: v.string() }) }),
  }),
});

/** Runs a query, and returns the table of its rows, as it is written in SQL. */
async function resultOf(query: string, account = OWNER): Promise<string> {
  const [job] = await warehouse.clientOf(account).createQueryJob({ query, location: LOCATION });
  await job.getQueryResults();
  const [metadata] = await job.getMetadata();
  const { projectId, datasetId, tableId } = v.parse(Job, metadata).configuration.query.destinationTable;
  return `\`${projectId}.${datasetId}.${tableId}\``;
}

async function rowsOf(query: string, account = OWNER): Promise<unknown[]> {
  return (await warehouse.clientOf(account).query({ query, location: LOCATION }))[0];
}

/** Every type, with nulls; and what JSON has to escape. */
const VALUES = `
  SELECT 1 AS i, 0.1 AS f, NUMERIC '-12345678901234567890.123456789' AS n, TRUE AS b, 'a"\\\\\\n\\u2028\\u0001ä😀' AS s, b'\\x00\\xff' AS y,
    DATE '0001-01-01' AS d, DATETIME '9999-12-31 23:59:59.999999' AS dt, TIME '00:00:00.000001' AS ti,
    TIMESTAMP '1969-12-31 23:59:59.999999+00' AS ts, ST_GEOGPOINT(10.5, 60) AS g,
    STRUCT('x' AS a, [STRUCT(TIMESTAMP '2026-01-01 00:00:00+00' AS seen)] AS l) AS r, [1, 2] AS l, 2 AS \`odd name\`, INTERVAL '-3661.5' SECOND AS iv
  UNION ALL
  SELECT NULL, CAST('NaN' AS FLOAT64), NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, NULL, [], NULL, INTERVAL -13 MONTH
  UNION ALL
  SELECT -9223372036854775808, CAST('-inf' AS FLOAT64), 0, FALSE, 'null', b'', NULL, NULL, NULL, NULL, NULL, STRUCT(CAST(NULL AS STRING), ARRAY<STRUCT<seen TIMESTAMP>>[]), [], 0, INTERVAL -2 DAY`;

describe("a query's result in FROM", () => {
  it("has every value in the type that the query gave it, and answers joins, counts and filters", async () => {
    const table = await resultOf(VALUES);
    const expected = await rowsOf(`${VALUES} ORDER BY 1`);
    expect(await rowsOf(`SELECT * FROM ${table} ORDER BY i`)).toEqual(expected);
    expect(await rowsOf(`SELECT COUNT(*) AS n, MAX(EXTRACT(YEAR FROM dt)) AS y, SUM(n) AS s FROM ${table} WHERE s != ''`)).toEqual([
      { n: 2, y: 9999, s: expect.anything() },
    ]);
    const numbers = await resultOf(`SELECT n FROM customer_${UID}.t`);
    const joined = `SELECT a.n FROM ${numbers} AS a JOIN customer_${UID}.t AS b USING (n) JOIN ${numbers} AS c USING (n) WHERE n > 1 ORDER BY n`;
    expect(await rowsOf(joined)).toEqual([{ n: 2 }, { n: 3 }]);
    // The result of that is a table again.
    expect(await rowsOf(`SELECT SUM(n) AS s FROM ${await resultOf(joined)}`)).toEqual([{ s: 5 }]);
  });

  it("may be empty, or have more rows than the memory keeps", async () => {
    expect(await rowsOf(`SELECT COUNT(*) AS n, MAX(s) AS s FROM ${await resultOf("SELECT 'x' AS s, [1] AS l LIMIT 0")}`)).toEqual([
      { n: 0, s: null },
    ]);
    const many = await resultOf("SELECT n, REPEAT('x', 100) AS s FROM UNNEST(GENERATE_ARRAY(1, 50000)) AS n");
    expect(await rowsOf(`SELECT COUNT(DISTINCT n) AS n, SUM(LENGTH(s)) AS s FROM ${many}`)).toEqual([{ n: 50_000, s: 5_000_000 }]);
    const long = await resultOf(
      "SELECT STRING_AGG(s, '') AS s FROM (SELECT REPEAT('ä', 500000) AS s FROM UNNEST(GENERATE_ARRAY(1, 4)) AS n)",
    );
    expect(await rowsOf(`SELECT LENGTH(s) AS n FROM ${long}`)).toEqual([{ n: 2_000_000 }]);
  });

  it("counts to the bytes that a query reads, and to its tables", async () => {
    const table = await resultOf("SELECT n, 'abc' AS s FROM UNNEST([1, 2]) AS n");
    const [job] = await warehouse.clientOf(OWNER).createQueryJob({ query: `SELECT n, s FROM ${table}`, location: LOCATION, dryRun: true });
    expect(job.metadata).toMatchObject({
      statistics: { query: { totalBytesProcessed: "26", referencedTables: [{ tableId: expect.stringMatching(/^anon/) }] } },
    });
  });

  it("belongs to who ran the query: nobody else reads it, not even the operator, nor is told whether it exists", async () => {
    const table = await resultOf(`SELECT n FROM customer_${UID}.t`);
    const query = `SELECT n FROM ${table}`;
    expect(await rowsOf(query)).toHaveLength(3);
    for (const account of [OTHER, `${OWNER}1`, "functions", "operator"])
      for (const other of [query, query.replace("anon", "anon00")])
        await expect(rowsOf(other, account)).rejects.toThrow(/^Access Denied: Table .*or perhaps it does not exist\.$/);
    // Its own hidden dataset has no table of this name.
    const [, dataset = ""] = /\.(_\w+)\./.exec(await resultOf("SELECT 1 AS n", OTHER)) ?? [];
    await expect(rowsOf(query.replace(/_[0-9a-f]{40}/, dataset), OTHER)).rejects.toThrow(/^Not found: Table .* was not found/);
    await expect(rowsOf(query.replace(PROJECT, "other-project"))).rejects.toThrow(/^Not found: Table .* was not found/);
    await expect(rowsOf(`SELECT table_name FROM ${table.split(".anon")[0]}.INFORMATION_SCHEMA.TABLES\``)).rejects.toThrow(/Access Denied/);
  });

  it("is read only: no statement changes it", async () => {
    const table = await resultOf("SELECT 1 AS n", "operator");
    const statements = [
      ...[`INSERT INTO ${table} (n) VALUES (2)`, `UPDATE ${table} SET n = 2 WHERE TRUE`, `DELETE FROM ${table} WHERE TRUE`],
      ...[`DROP TABLE ${table}`, `CREATE OR REPLACE TABLE ${table} (n INT64)`, `CREATE TABLE ${table.replace("anon", "mine")} (n INT64)`],
    ];
    for (const statement of statements) await expect(rowsOf(statement, "operator"), statement).rejects.toThrow(/^Access Denied: Table /);
    expect(await rowsOf(`CREATE TABLE facts.copied AS SELECT n FROM ${table}; SELECT n FROM facts.copied`, "operator")).toEqual([{ n: 1 }]);
  });

  it("is there after a restart, and for a day", async () => {
    const table = await resultOf("SELECT 5 AS n");
    expect(await rowsOf(`SELECT n FROM ${table}`)).toEqual([{ n: 5 }]);
    await warehouse.close();
    warehouse = await startWarehouseUnderTest({ dataDirectory: directory });
    warehouse.advance(23 * HOUR);
    expect(await rowsOf(`SELECT n FROM ${table}`)).toEqual([{ n: 5 }]);
    warehouse.advance(HOUR);
    await expect(rowsOf(`SELECT n FROM ${table}`)).rejects.toThrow(/^Not found: Table .* was not found/);
  });
});
