import type { BigQuery } from "@google-cloud/bigquery";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { LOCATION, startWarehouseUnderTest, type WarehouseUnderTest } from "../../engines/warehouse-under-test.ts";

const APPEND = "UPDATE facts.batch SET value = CONCAT(value, 'x') WHERE id = 1";

let warehouse: WarehouseUnderTest;
let client: BigQuery;

beforeAll(async () => {
  warehouse = await startWarehouseUnderTest({ ddl: `CREATE SCHEMA facts OPTIONS (location = '${LOCATION}')` });
  client = warehouse.client;
});

beforeEach(async () => {
  await client.query("CREATE OR REPLACE TABLE facts.batch (id INT64 NOT NULL, value STRING)");
  await client.query("INSERT INTO facts.batch (id, value) VALUES (1, 'old')");
});

afterAll(() => warehouse.close());

async function batch(): Promise<unknown> {
  const [rows] = await client.query("SELECT id, value FROM facts.batch ORDER BY id");
  return rows;
}

it("returns the rows of a script's last SELECT", async () => {
  const [rows] = await client.query(
    "SELECT 1 AS x; INSERT INTO facts.batch (id, value) VALUES (2, 'new'); SELECT COUNT(*) AS n FROM facts.batch",
  );
  expect(rows).toEqual([{ n: 2 }]);
});

it("commits all of a transaction", async () => {
  const [job] = await client.createQueryJob(`
    BEGIN TRANSACTION;
    DELETE FROM facts.batch WHERE id = 1;
    INSERT INTO facts.batch (id, value) VALUES (1, 'new'), (2, 'new');
    COMMIT TRANSACTION;
  `);
  await job.getQueryResults();
  expect(await batch()).toEqual([
    { id: 1, value: "new" },
    { id: 2, value: "new" },
  ]);
  const [metadata] = await job.getMetadata();
  expect(metadata.statistics).toMatchObject({ numChildJobs: "4", query: { statementType: "SCRIPT" } });
});

it("reports each statement of a script as a separate job", async () => {
  const [job] = await client.createQueryJob(
    "INSERT INTO facts.batch (id, value) VALUES (2, 'b'), (3, 'c'); DELETE FROM facts.batch WHERE id = 2",
  );
  await job.getQueryResults();
  const [children] = await client.getJobs({ parentJobId: job.id ?? "" });
  expect(children.map(({ metadata }) => [metadata.statistics.query.statementType, metadata.statistics.query.numDmlAffectedRows])).toEqual([
    ["DELETE", "1"],
    ["INSERT", "2"],
  ]);
});

it("rolls back all of a transaction if one statement fails", async () => {
  const [job] = await client.createQueryJob(`
    BEGIN TRANSACTION;
    DELETE FROM facts.batch WHERE id = 1;
    INSERT INTO facts.batch (id, value) SELECT CAST(value AS INT64), value FROM UNNEST(['2', 'no number']) AS value;
    COMMIT TRANSACTION;
  `);
  await expect(job.getQueryResults()).rejects.toMatchObject({ code: 400, errors: [{ reason: "invalidQuery" }] });
  expect(await batch()).toEqual([{ id: 1, value: "old" }]);
});

it("rolls back a transaction that its script never commits", async () => {
  await client.query("BEGIN TRANSACTION; DELETE FROM facts.batch WHERE id = 1");
  expect(await batch()).toEqual([{ id: 1, value: "old" }]);
});

it("serialises writers of one table, so that no update is lost", async () => {
  await Promise.all(Array.from({ length: 12 }, () => client.query(APPEND)));
  expect(await batch()).toEqual([{ id: 1, value: `old${"x".repeat(12)}` }]);
});

describe("concurrent transactions", () => {
  /** Settled transactions of which each is in the middle of its work when the next begins. */
  const settled = (...bodies: readonly string[]) =>
    Promise.allSettled(
      bodies.map((body) =>
        client.query(`BEGIN TRANSACTION; ${body}; SELECT SUM(a) FROM UNNEST(GENERATE_ARRAY(1, 1000000)) AS a; COMMIT TRANSACTION`),
      ),
    );

  it("abort all but one if they change rows of one table, in BigQuery's words, and store nothing", async () => {
    const outcomes = await settled(APPEND, APPEND, "DELETE FROM facts.batch WHERE id = 7");
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected", "rejected"]);
    for (const outcome of outcomes)
      if (outcome.status === "rejected")
        expect(outcome.reason).toMatchObject({
          code: 400,
          errors: [{ reason: "invalidQuery" }],
          message: expect.stringMatching(
            /^Query error: Transaction is aborted due to concurrent update against table demo-local:facts\.batch\. Transaction ID: [0-9a-f-]{36}/,
          ),
        });
    expect(await batch()).toEqual([{ id: 1, value: outcomes[2]?.status === "fulfilled" ? "old" : "oldx" }]);
  });

  it("commit if they only add rows, and beside statements without a transaction, which wait", async () => {
    const add = (id: number) => `INSERT INTO facts.batch (id, value) VALUES (${id}, 'new')`;
    const [transactions] = await Promise.all([settled(add(2), add(3), APPEND), client.query(APPEND)]);
    expect(transactions.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "fulfilled"]);
    expect(await batch()).toEqual([
      { id: 1, value: "oldxx" },
      { id: 2, value: "new" },
      { id: 3, value: "new" },
    ]);
  });
});

it("shows uncommitted changes to nobody", async () => {
  const [writer] = await client.createQueryJob(`
    BEGIN TRANSACTION;
    DELETE FROM facts.batch WHERE id = 1;
    SELECT SUM(a) AS s FROM UNNEST(GENERATE_ARRAY(1, 1000000)) AS a, UNNEST([1, 2, 3]);
    ROLLBACK TRANSACTION;
  `);
  const seen = await batch();
  await writer.getQueryResults();
  expect(seen).toEqual([{ id: 1, value: "old" }]);
});

it("rejects NULL in a REQUIRED column", async () => {
  await expect(client.query("INSERT INTO facts.batch (id, value) VALUES (NULL, 'x')")).rejects.toMatchObject({
    code: 400,
    message: expect.stringContaining("id"),
  });
});

it("rejects definitions inside a transaction", async () => {
  await expect(client.query("BEGIN TRANSACTION; CREATE TABLE facts.inner_table (x INT64); COMMIT TRANSACTION")).rejects.toMatchObject({
    code: 400,
  });
});

it("counts inserted, updated and deleted rows of a MERGE", async () => {
  const [, , response] = await client.query(`
    MERGE facts.batch AS t USING (SELECT 1 AS id, 'merged' AS value UNION ALL SELECT 7, 'new') AS s ON t.id = s.id
    WHEN MATCHED THEN UPDATE SET value = s.value
    WHEN NOT MATCHED THEN INSERT (id, value) VALUES (s.id, s.value)
  `);
  expect(response).toMatchObject({ numDmlAffectedRows: "2", dmlStats: { insertedRowCount: "1", updatedRowCount: "1" } });
});
