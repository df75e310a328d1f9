import { afterAll, beforeAll, expect, test } from "vitest";
import { startWarehouseUnderTest, type WarehouseUnderTest } from "../../testing/engines/warehouse-under-test.ts";
import { makeTables } from "../tables.ts";
import { generateSample } from "./generate.ts";
import { openLoads } from "./load.ts";

const TABLES = ["activities_hourly", "activities_daily"];

let warehouse: WarehouseUnderTest;

beforeAll(async () => {
  warehouse = await startWarehouseUnderTest();
  await makeTables(warehouse);
});

afterAll(() => warehouse.close());

test("the sample decides its hours and derives its days as the service's load does", async () => {
  const connection = await warehouse.connection();
  await generateSample(connection, { seed: 3, scale: 0.25, days: 2, now: new Date("2026-10-29T13:20:00Z") });
  for (const table of TABLES) await connection.run(`CREATE TEMP TABLE own_${table} AS FROM mobility.${table}`);
  const load = await openLoads(connection);
  // The load decides the additive values of rows with parts, so the areas are staged with 0.
  await load("activities_hourly", {
    checksum: "again",
    dated: "SELECT 1",
    stage: (staging) => [
      `INSERT INTO ${staging} BY NAME SELECT * EXCLUDE (publishable) REPLACE (0 AS stays_count, 0 AS stays_dwell_minutes, 0 AS stays_devices)
    FROM own_activities_hourly WHERE geo_type LIKE 'admin%'`,
      `INSERT INTO ${staging} BY NAME SELECT * EXCLUDE (publishable) FROM own_activities_hourly WHERE geo_type NOT LIKE 'admin%'`,
    ],
  });
  for (const table of TABLES) {
    const reader = await connection.runAndReadAll(`SELECT (SELECT count(*) FROM own_${table}) > 1000,
      (SELECT count(*) FROM (FROM own_${table} EXCEPT ALL FROM mobility.${table}))::INTEGER,
      (SELECT count(*) FROM (FROM mobility.${table} EXCEPT ALL FROM own_${table}))::INTEGER`);
    expect(reader.getRowsJson(), table).toEqual([[true, 0, 0]]);
  }
  const withheld = await connection.runAndReadAll(
    "SELECT count(*)::INTEGER FROM own_activities_hourly WHERE geo_type LIKE 'admin%' AND NOT publishable",
  );
  expect(withheld.getRows()[0]?.[0]).toBeGreaterThan(10);
});
