import { afterAll, beforeAll, expect, it } from "vitest";
import { makeTables } from "../../infra/local/tables.ts";
import { startWarehouseUnderTest, type WarehouseUnderTest } from "../../infra/testing/engines/warehouse-under-test.ts";
import { readPage } from "./pages.ts";

/** The local BigQuery has no past. */
const PAST = / FOR SYSTEM_TIME AS OF TIMESTAMP '[^']+'/;

let warehouse: WarehouseUnderTest;

beforeAll(async () => {
  warehouse = await startWarehouseUnderTest();
  await makeTables(warehouse);
});

afterAll(() => warehouse.close());

const rows = async (sql: string): Promise<unknown[]> => (await warehouse.client.query(sql))[0];

it("the statements that restore a day of a table copy it and put it back, and no other day", async () => {
  const [, section = ""] = /^### Restore a table\n(.*?)^###/ms.exec(readPage("terraform/README.md")) ?? [];
  const [, sql = ""] = /^```sql\n(.*?)^```$/ms.exec(section) ?? [];
  const [copy = "", putBack = "", remove = ""] = sql.split(/;\n\n/);
  expect(copy).toMatch(PAST);
  await rows(
    `INSERT INTO mobility.odm_daily
       (country_code, batch_date, origin_geo_type, origin_geo_id, destination_geo_type, destination_geo_id, trips)
     VALUES ('EST', '2026-11-21', 'grid_1000m', 1, 'grid_1000m', 2, 40), ('EST', '2026-11-22', 'grid_1000m', 1, 'grid_1000m', 2, 60)`,
  );
  await rows(copy.replace(PAST, ""));
  await rows("UPDATE mobility.odm_daily SET trips = 0 WHERE batch_date IN ('2026-11-21', '2026-11-22')");
  await rows(putBack);
  await rows(remove);
  expect(
    await rows("SELECT CAST(batch_date AS STRING) AS day, trips FROM mobility.odm_daily WHERE batch_date > '2026-11-20' ORDER BY day"),
  ).toEqual([
    { day: "2026-11-21", trips: 40 },
    { day: "2026-11-22", trips: 0 },
  ]);
});
