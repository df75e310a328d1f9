import type { BigQuery, Table } from "@google-cloud/bigquery";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { SCOPES } from "../../../local/identity.ts";
import { LOCATION, startWarehouseUnderTest, type WarehouseUnderTest } from "../../engines/warehouse-under-test.ts";

let warehouse: WarehouseUnderTest;
let client: BigQuery;
let table: Table;
let made = 0;

beforeAll(async () => {
  warehouse = await startWarehouseUnderTest({ ddl: `CREATE SCHEMA live OPTIONS (location = '${LOCATION}')` });
  client = warehouse.client;
});

beforeEach(async () => {
  made += 1;
  [table] = await client.dataset("live").createTable(`t${made}`, {
    schema: {
      fields: [
        { name: "id", type: "INTEGER", mode: "REQUIRED" },
        { name: "at", type: "TIMESTAMP" },
        { name: "place", type: "RECORD", fields: [{ name: "lat", type: "FLOAT", mode: "REQUIRED" }] },
        { name: "tags", type: "STRING", mode: "REPEATED" },
      ],
    },
  });
});

afterAll(() => warehouse.close());

/** Sends rows unchanged, without the client's own ids and retries. */
function insertRaw(rows: object[], options: object = {}): Promise<unknown> {
  return table.insert(rows, { raw: true, partialRetries: 0, ...options });
}

async function ids(): Promise<number[]> {
  const [rows] = await table.getRows();
  return rows.map(({ id }) => id);
}

it("makes rows visible at once, with nested and repeated values", async () => {
  await table.insert([{ id: 1, at: new Date(0), place: { lat: 59.5 }, tags: ["a", "b"] }]);
  expect((await table.getRows())[0]).toEqual([
    { id: 1, at: expect.objectContaining({ value: "1970-01-01T00:00:00.000Z" }), place: { lat: 59.5 }, tags: ["a", "b"] },
  ]);
});

it("adds a row with the same insertId once within a minute", async () => {
  const row = { insertId: "x", json: { id: 1 } };
  await insertRaw([row, row]);
  await insertRaw([row]);
  expect(await ids()).toEqual([1]);
  warehouse.advance(61_000);
  await insertRaw([row]);
  expect(await ids()).toEqual([1, 1]);
});

it("rejects all rows if one is bad, and reports which and why", async () => {
  const inserted = insertRaw([
    { json: { id: 1 } },
    { json: { id: 2, colour: "red" } },
    { json: { at: "2026-01-01" } },
    { json: { id: "many" } },
    { json: { id: 3, place: { lat: 1, lon: 2 } } },
    { json: { id: 4, tags: "a" } },
    { json: { id: 5, at: "yesterday" } },
  ]);
  const failure = await inserted.catch((error: unknown) => error);
  const reasons = [
    [{ reason: "stopped", message: "" }],
    [{ reason: "invalid", message: "no such field: colour." }],
    [{ reason: "invalid", message: "Missing required field: id." }],
    [{ reason: "invalid", message: "Cannot convert value to integer (bad value): many" }],
    [{ reason: "invalid", message: "no such field: place.lon." }],
    [{ reason: "invalid", message: expect.stringContaining("array") }],
    [{ reason: "invalid", message: expect.stringContaining("timestamp") }],
  ];
  expect(failure).toMatchObject({ name: "PartialFailureError", errors: reasons.map((errors) => ({ errors })) });
  expect(await ids()).toEqual([]);
});

it("adds the good rows with skipInvalidRows", async () => {
  await expect(insertRaw([{ json: { id: 1 } }, { json: { nope: 1 } }], { skipInvalidRows: true })).rejects.toMatchObject({
    name: "PartialFailureError",
  });
  expect(await ids()).toEqual([1]);
});

it("omits unknown values with ignoreUnknownValues", async () => {
  await insertRaw([{ json: { id: 1, colour: "red" } }], { ignoreUnknownValues: true });
  expect(await ids()).toEqual([1]);
});

it("returns 404 for a missing table", async () => {
  await expect(
    client
      .dataset("live")
      .table("nowhere")
      .insert([{ id: 1 }]),
  ).rejects.toMatchObject({ code: 404 });
});

describe("rows of the streaming buffer", () => {
  const run = (text: string) => client.query({ query: text.replaceAll("{t}", `live.t${made}`), params: { id: 1 } });
  const refused = {
    code: 400,
    errors: [
      {
        reason: "invalidQuery",
        message: expect.stringMatching(
          /^UPDATE or DELETE statement over table demo-local\.live\.t\d+ would affect rows in the streaming buffer, which is not supported$/,
        ),
      },
    ],
  };

  beforeEach(async () => {
    await run("INSERT INTO {t} (id) VALUES (7)");
    await insertRaw([{ json: { id: 1 } }]);
  });

  it.each([
    "DELETE FROM {t} WHERE id = @id",
    "DELETE FROM {t} WHERE TRUE",
    "UPDATE {t} SET tags = ['x'] WHERE id IN (SELECT streamed.id FROM {t} AS streamed WHERE streamed.id < 7)",
    "MERGE {t} AS t USING (SELECT @id AS id) AS s ON t.id = s.id WHEN MATCHED THEN UPDATE SET tags = ['x']",
    "MERGE {t} AS t USING (SELECT 7 AS id) AS s ON t.id = s.id WHEN NOT MATCHED BY SOURCE THEN DELETE",
    "BEGIN TRANSACTION; UPDATE {t} SET tags = ['x'] WHERE id = 7; DELETE FROM {t} WHERE id = @id; COMMIT TRANSACTION",
  ])("are not changed by %s, which fails as a whole", async (text) => {
    await expect(run(text)).rejects.toMatchObject(refused);
    const [rows] = await table.getRows();
    expect(rows.map(({ id, tags }) => [id, tags])).toEqual([
      [7, []],
      [1, []],
    ]);
  });

  it("are changed once an operator has emptied the buffer, which nobody else can", async () => {
    const flush = async (account: string) => {
      const headers = { authorization: `Bearer ${warehouse.tokenOf(account, SCOPES.cloudPlatform)}` };
      return (await fetch(`${warehouse.origin}/emulator/v1/projects/demo-local/streamingBuffer`, { method: "DELETE", headers })).status;
    };
    expect(await flush("warehouse-acmemobi")).toBe(403);
    await expect(run("DELETE FROM {t} WHERE id = @id")).rejects.toMatchObject(refused);
    expect(await flush("operator")).toBe(204);
    await run("DELETE FROM {t} WHERE id = @id");
    expect(await ids()).toEqual([7]);
  });

  it("are read by statements that change others, and changed after 90 minutes", async () => {
    await run("DELETE FROM {t} WHERE id = 7 AND EXISTS (SELECT 1 FROM {t} AS streamed WHERE streamed.id = @id)");
    await run("MERGE {t} AS t USING (SELECT 1 AS id) AS s ON t.id = s.id WHEN NOT MATCHED THEN INSERT (id) VALUES (s.id)");
    expect(await ids()).toEqual([1]);
    warehouse.advance(90 * 60_000);
    client = warehouse.clientOf("operator", SCOPES.cloudPlatform);
    table = client.dataset("live").table(`t${made}`);
    await expect(run("DELETE FROM {t} WHERE id = 1")).rejects.toMatchObject(refused);
    warehouse.advance(1);
    await run("DELETE FROM {t} WHERE id = 1");
    expect(await ids()).toEqual([]);
  });

  it("of a table that got a column, or was replaced, are those of the present table", async () => {
    await run("ALTER TABLE {t} ADD COLUMN note STRING");
    await expect(run("DELETE FROM {t} WHERE note IS NULL")).rejects.toMatchObject(refused);
    await insertRaw([{ json: { id: 2, note: "new" } }]);
    await expect(run("DELETE FROM {t} WHERE note = 'new'")).rejects.toMatchObject(refused);
    warehouse.advance(1);
    await run("CREATE OR REPLACE TABLE {t} AS SELECT 1 AS id, 'red' AS colour");
    await run("DELETE FROM {t} WHERE colour = 'red'");
    expect(await ids()).toEqual([]);
    await insertRaw([{ json: { id: 3, colour: "blue" } }]);
    await expect(run("DELETE FROM {t} WHERE colour = 'blue'")).rejects.toMatchObject(refused);
  });
});
