import type { BigQuery, Table } from "@google-cloud/bigquery";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
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
