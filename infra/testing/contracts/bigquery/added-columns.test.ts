import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { LOCATION, startWarehouseUnderTest, type WarehouseUnderTest } from "../../engines/warehouse-under-test.ts";

let dataDirectory: string;
let warehouse: WarehouseUnderTest;

beforeAll(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), "populus-columns-"));
  const ddl = `CREATE SCHEMA facts OPTIONS (location = '${LOCATION}');
    CREATE TABLE facts.trips (id INT64 NOT NULL, day DATE) PARTITION BY day CLUSTER BY id;
    INSERT INTO facts.trips (id, day) VALUES (1, DATE '2026-01-10');
    CREATE VIEW facts.named AS SELECT id FROM \`facts.trips\``;
  warehouse = await startWarehouseUnderTest({ ddl, dataDirectory });
});

afterAll(async () => {
  await warehouse.close();
  await rm(dataDirectory, { recursive: true });
});

const rows = async (sql: string): Promise<unknown[]> => (await warehouse.client.query(sql))[0];

it("an added column is null in the rows that are there, an added array is empty, and what stands stays", async () => {
  const add = `ALTER TABLE facts.trips
    ADD COLUMN IF NOT EXISTS name STRING OPTIONS (description = 'Its name'),
    ADD COLUMN IF NOT EXISTS tags ARRAY<STRING>`;
  const [job] = await warehouse.client.createQueryJob(`${add}; INSERT INTO facts.trips (id, name, tags) VALUES (2, 'two', ['a'])`);
  await job.getQueryResults();
  await warehouse.client.query(add);
  expect(await rows("SELECT id, name, tags FROM facts.trips ORDER BY id")).toEqual([
    { id: 1, name: null, tags: [] },
    { id: 2, name: "two", tags: ["a"] },
  ]);
  expect(await rows("SELECT id FROM facts.named ORDER BY id")).toEqual([{ id: 1 }, { id: 2 }]);
});

it("the table has it in its metadata, also after a restart", async () => {
  await warehouse.close();
  warehouse = await startWarehouseUnderTest({ dataDirectory });
  const [metadata] = await warehouse.client.dataset("facts").table("trips").getMetadata();
  expect(metadata).toMatchObject({
    schema: {
      fields: [
        { name: "id", mode: "REQUIRED" },
        { name: "day" },
        { name: "name", type: "STRING", mode: "NULLABLE", description: "Its name" },
        { name: "tags", type: "STRING", mode: "REPEATED" },
      ],
    },
    timePartitioning: { field: "day" },
    clustering: { fields: ["id"] },
  });
  await warehouse.client.query("ALTER TABLE facts.trips ADD COLUMN more INT64");
  expect(await rows("SELECT more FROM facts.trips WHERE id = 2")).toEqual([{ more: null }]);
});

it("only the operator adds columns, and only to tables", async () => {
  const add = "ALTER TABLE facts.named ADD COLUMN x INT64";
  await expect(warehouse.client.query(add)).rejects.toThrow("Cannot add columns to the view facts.named");
  await expect(warehouse.clientOf("loader").query("ALTER TABLE facts.trips ADD COLUMN x INT64")).rejects.toMatchObject({ code: 403 });
  await expect(warehouse.client.query("BEGIN TRANSACTION; ALTER TABLE facts.trips ADD COLUMN x INT64; COMMIT TRANSACTION")).rejects.toThrow(
    "ALTER_TABLE statements are not supported in transactions",
  );
});
