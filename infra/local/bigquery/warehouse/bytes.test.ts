import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { LOCATION, startWarehouseUnderTest, type WarehouseUnderTest } from "../../../testing/engines/warehouse-under-test.ts";
import { generatePresence, tickBefore } from "../../sample/presence.ts";
import { SampleFilling } from "../../sample-filling.ts";
import { makeTables } from "../../tables.ts";

const DAY = "DATE '2026-01-15'";
const DDL = `
  CREATE SCHEMA facts OPTIONS (location = '${LOCATION}');
  CREATE TABLE facts.days (id INT64, day DATE) PARTITION BY day OPTIONS (partition_expiration_days = 30);
  CREATE TABLE facts.months (id INT64, day DATE) PARTITION BY DATE_TRUNC(day, MONTH);
  CREATE TABLE facts.plain (id INT64);
  INSERT INTO facts.days (id, day) VALUES (1, ${DAY}), (2, ${DAY}), (3, '2026-01-16');
  INSERT INTO facts.months (id, day) VALUES (1, ${DAY}), (2, '2026-01-16'), (3, '2026-02-14');
  INSERT INTO facts.plain (id) VALUES (1), (2), (3);`;
/** Bytes of an INT64 and of a DATE. */
const VALUE = 8;
const HALF_AN_HOUR_MS = 30 * 60_000;
/** The day's partition expires within half an hour. */
const START = Date.UTC(2026, 1, 14) - HALF_AN_HOUR_MS / 2;

let warehouse: WarehouseUnderTest;

/** Returns how many bytes the local BigQuery says that a query would read. */
async function bytes(query: string): Promise<number> {
  const [, answer] = await warehouse.client.createQueryJob({ query, dryRun: true });
  return Number(answer?.statistics?.totalBytesProcessed);
}

/** Returns how many rows it believes a table to have, in the partition of the day if it has partitions. */
async function rows(table: string): Promise<number> {
  const where = table === "plain" ? "" : ` WHERE day = ${DAY}`;
  return (await bytes(`SELECT id FROM facts.${table}${where}`)) / (table === "plain" ? VALUE : 2 * VALUE);
}

const sql = (query: string) => async (): Promise<void> => {
  await warehouse.client.query(query);
};

async function load(table: string, writeDisposition: string): Promise<void> {
  const job = new Promise<{ promise(): Promise<unknown> }>((resolve, reject) => {
    warehouse.client
      .dataset("facts")
      .table(table)
      .createWriteStream({ sourceFormat: "NEWLINE_DELIMITED_JSON", writeDisposition })
      .once("job", resolve)
      .on("error", reject)
      .end(`{"id": 9, "day": "2026-01-15"}\n`);
  });
  await (await job).promise();
}

describe("the estimate of what a query reads", () => {
  beforeEach(async () => {
    warehouse = await startWarehouseUnderTest({ ddl: DDL, startAt: START });
  });

  afterEach(() => warehouse.close());

  it("is of the partitions that match", async () => {
    expect(await rows("days")).toBe(2);
    expect(await rows("months")).toBe(2);
    expect(await rows("plain")).toBe(3);
  });

  it.each([
    ["a row that a job adds", "days", sql(`INSERT INTO facts.days (id, day) VALUES (4, ${DAY})`), 3],
    ["a row that a job moves", "days", sql(`UPDATE facts.days SET day = ${DAY} WHERE id = 3`), 3],
    ["a row that a job removes", "days", sql(`DELETE FROM facts.days WHERE day = ${DAY} AND id = 1`), 1],
    ["a row that comes to a partition of many days", "months", sql("UPDATE facts.months SET day = '2026-01-13' WHERE id = 3"), 3],
    [
      "a merge",
      "plain",
      sql("MERGE facts.plain t USING (SELECT 7 AS id) s ON t.id = s.id WHEN NOT MATCHED THEN INSERT (id) VALUES (s.id)"),
      4,
    ],
    [
      "a transaction",
      "days",
      sql(`BEGIN TRANSACTION; DELETE FROM facts.days WHERE TRUE; INSERT INTO facts.days VALUES (8, ${DAY}); COMMIT TRANSACTION`),
      1,
    ],
    ["a transaction that is undone", "plain", sql("BEGIN TRANSACTION; DELETE FROM facts.plain WHERE TRUE; ROLLBACK TRANSACTION"), 3],
    ["a table in its place", "plain", sql("CREATE OR REPLACE TABLE facts.plain AS SELECT id FROM UNNEST([1, 2]) AS id"), 2],
    ["a table of its name", "plain", sql("DROP TABLE facts.plain; CREATE TABLE facts.plain (id INT64)"), 0],
    [
      "a dataset of its name",
      "plain",
      async () => {
        await warehouse.client.dataset("facts").delete({ force: true });
        await warehouse.applyDdl(DDL);
        await warehouse.client.query("INSERT INTO facts.plain (id) VALUES (1)");
      },
      4,
    ],
    [
      "a streamed row",
      "plain",
      () =>
        warehouse.client
          .dataset("facts")
          .table("plain")
          .insert([{ id: 4 }]),
      4,
    ],
    ["a load that appends", "days", () => load("days", "WRITE_APPEND"), 3],
    ["a load that replaces", "days", () => load("days", "WRITE_TRUNCATE"), 1],
    [
      "partitions that expire",
      "days",
      async () => {
        warehouse.advance(HALF_AN_HOUR_MS);
        await warehouse.expire();
      },
      0,
    ],
    [
      "the process's own rows",
      "plain",
      () => warehouse.withConnection((connection) => connection.run("INSERT INTO facts.plain VALUES (4)")),
      4,
    ],
  ])("follows %s", async (_what, table, change, after) => {
    const other = table === "plain" ? "days" : "plain";
    const [before, beforeOfOther] = [await rows(table), await rows(other)];
    await change();
    expect({ before, after: await rows(table) }).toEqual({ before: table === "plain" ? 3 : 2, after });
    expect(await rows(other)).toBe(beforeOfOther);
  });

  it("follows the columns that a table gets", async () => {
    expect(await bytes("SELECT * FROM facts.plain")).toBe(3 * VALUE);
    await warehouse.client.query("ALTER TABLE facts.plain ADD COLUMN more INT64");
    expect(await bytes("SELECT * FROM facts.plain")).toBe(6 * VALUE);
  });

  it("follows the columns of a table in its place", async () => {
    expect(await bytes("SELECT * FROM facts.plain")).toBe(3 * VALUE);
    await warehouse.client.query("CREATE OR REPLACE TABLE facts.plain AS SELECT 'four' AS name FROM UNNEST([1, 2, 3])");
    // A text is two bytes and its length.
    expect(await bytes("SELECT * FROM facts.plain")).toBe(3 * 6);
  });

  it("follows every row of the process's own connection while that is open", async () => {
    await warehouse.withConnection(async (connection) => {
      for (const added of [1, 2, 3]) {
        await connection.run("INSERT INTO facts.plain VALUES (0)");
        expect(await rows("plain")).toBe(3 + added);
      }
      await connection.run("BEGIN TRANSACTION");
      await connection.run("DELETE FROM facts.plain");
      expect(await rows("plain")).toBe(6);
      await connection.run("COMMIT");
    });
    expect(await rows("plain")).toBe(0);
  });

  it("follows a connection that nobody closes", async () => {
    const connection = await warehouse.connection();
    for (const added of [1, 2]) {
      await connection.run("INSERT INTO facts.plain VALUES (0)");
      expect(await rows("plain")).toBe(3 + added);
    }
    connection.closeSync();
  });

  it("is never of before a change that came while rows were counted", async () => {
    for (let round = 1; round <= 10; round++) {
      const insert = sql("INSERT INTO facts.plain (id) VALUES (5)");
      await Promise.all([rows("plain"), insert(), rows("plain"), insert(), rows("plain")]);
      expect(await rows("plain")).toBe(3 + 2 * round);
    }
  });
});

describe("the estimate of a table of the sample", () => {
  const SIZE = { seed: 7, scale: 0.05, tickSeconds: 300 };

  it("follows the making of the sample and each tick after it", async () => {
    warehouse = await startWarehouseUnderTest();
    await makeTables(warehouse);
    const counted = async (table: string, day: string): Promise<number> => {
      const [[row]] = await warehouse.client.query(`SELECT COUNT(*) AS n FROM ${table} WHERE ${day} >= '2000-01-01'`);
      return Number(row.n);
    };
    const numRows = async (dataset: string, table: string): Promise<number> =>
      Number((await warehouse.client.dataset(dataset).table(table).getMetadata())[0].numRows);
    expect([await numRows("mobility", "activities_hourly"), await numRows("realtime", "presence")]).toEqual([0, 0]);
    await new SampleFilling(warehouse, { ...SIZE, days: 1, dataDirectory: undefined }).fill();
    const filled = await numRows("realtime", "presence");
    expect(await numRows("mobility", "activities_hourly")).toBe(await counted("mobility.activities_hourly", "batch_date"));
    expect(filled).toBe(await counted("realtime.presence", "tick"));
    const tick = new Date(tickBefore(new Date(), SIZE.tickSeconds).getTime() + 2 * SIZE.tickSeconds * 1000);
    await warehouse.withConnection((connection) => generatePresence(connection, { ...SIZE, tick }));
    expect(await numRows("realtime", "presence")).toBe(await counted("realtime.presence", "tick"));
    expect(await numRows("realtime", "presence")).toBeGreaterThan(filled);
    await warehouse.close();
  });
});
