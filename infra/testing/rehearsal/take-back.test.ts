import { afterAll, beforeAll, expect, it } from "vitest";
import type { DefinedTables } from "../../migrations/released.ts";
import { LOCATION, startWarehouseUnderTest, type WarehouseUnderTest } from "../engines/warehouse-under-test.ts";
import { takeBackTables } from "./take-back.ts";

const column = (name: string, type: string, mode: string) => ({ name, type, mode });
const trips = (...added: ReturnType<typeof column>[]): DefinedTables[string] => ({
  partition: { field: "day", type: "DAY" },
  clustering: ["id"],
  schema: [column("id", "INTEGER", "REQUIRED"), column("day", "DATE", "REQUIRED"), ...added],
});
let warehouse: WarehouseUnderTest;

beforeAll(async () => {
  const ddl = `CREATE SCHEMA mobility OPTIONS (location = '${LOCATION}');
    CREATE TABLE mobility.trips (id INT64 NOT NULL, day DATE NOT NULL, added STRING) PARTITION BY day CLUSTER BY id
    OPTIONS (require_partition_filter = TRUE);
    INSERT INTO mobility.trips (id, day, added) VALUES (1, DATE '2026-01-10', 'new'), (2, DATE '2026-01-11', NULL);
    CREATE TABLE mobility.later (id INT64);
    CREATE TABLE mobility.schema_migrations (number INT64 NOT NULL, name STRING NOT NULL);
    INSERT INTO mobility.schema_migrations (number, name) VALUES (1, '001-one'), (2, '002-added')`;
  warehouse = await startWarehouseUnderTest({ ddl });
});
afterAll(() => warehouse.close());

it("tables are those of the last release again, with their rows, and the ledger has its migrations", async () => {
  const added = column("added", "STRING", "NULLABLE");
  const later = { partition: null, clustering: [], schema: [column("id", "INTEGER", "NULLABLE")] };
  const before = { tables: { "mobility.trips": trips() }, migrations: { "001-one": "a checksum" } };
  await takeBackTables(warehouse.client, before, { "mobility.trips": trips(added), "mobility.later": later });
  const rows = async (sql: string): Promise<unknown[]> => (await warehouse.client.query(sql))[0];
  expect(await rows("SELECT * EXCEPT (day) FROM mobility.trips WHERE day >= DATE '2026-01-01' ORDER BY id")).toEqual([
    { id: 1 },
    { id: 2 },
  ]);
  const [metadata] = await warehouse.client.dataset("mobility").table("trips").getMetadata();
  expect(metadata).toMatchObject({ timePartitioning: { field: "day", type: "DAY" }, clustering: { fields: ["id"] } });
  expect(await rows("SELECT name FROM mobility.schema_migrations")).toEqual([{ name: "001-one" }]);
  const [tables] = await warehouse.client.dataset("mobility").getTables();
  expect(tables.map(({ id }) => id).sort()).toEqual(["schema_migrations", "trips"]);
});
