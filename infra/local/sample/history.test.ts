import type { DuckDBConnection } from "@duckdb/node-api";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { datasetDefinitions } from "../../../scripts/admin/local/dataset-definitions.ts";
import { startWarehouseUnderTest, type WarehouseUnderTest } from "../../testing/engines/warehouse-under-test.ts";
import { makeTables } from "../tables.ts";
import { loadHistory } from "./history.ts";
import { MONITORED_MAP } from "./monitored-map.ts";

const NOW = new Date("2026-11-20T13:21:30Z");
const SIZE = { seed: 1, scale: 1 };
const OF = { uid: "acme", mapId: "map" };

let warehouse: WarehouseUnderTest;
let connection: DuckDBConnection;
const rows = async (sql: string): Promise<unknown[][]> => (await connection.runAndReadAll(sql)).getRowsJson();

beforeAll(async () => {
  warehouse = await startWarehouseUnderTest();
  await makeTables(warehouse);
  for (const { sql } of datasetDefinitions(OF.uid).scripts) await warehouse.applyDdl(sql);
  connection = await warehouse.connection();
  await loadHistory(connection, SIZE, OF, NOW);
});

afterAll(() => warehouse.close());

describe("the history of the monitored map", () => {
  it("has a headcount of every five minutes of eight weeks, up to the newest, in all three tables", async () => {
    for (const table of ["realtime.headcounts", "realtime_customers.headcounts_acme", "realtime_eu.headcounts_acme"])
      expect(
        await rows(`SELECT count(*)::INTEGER, count(DISTINCT timestamp)::INTEGER, min(timestamp)::VARCHAR, max(timestamp)::VARCHAR,
          any_value(uid), any_value(target_id), any_value(target_name) FROM ${table}`),
      ).toEqual([[16129, 16129, "2026-09-25 13:20:00+00", "2026-11-20 13:20:00+00", "acme", "map", MONITORED_MAP.name]]);
  });

  it("follows the week: more people at noon than at night, more on weekdays than on Sundays", async () => {
    const [[noon = 0, night = 0, sunday = 0, suppressed = 0] = []] = await rows(`SELECT
      avg(people_count) FILTER (hour = 12 AND day BETWEEN 1 AND 5), avg(people_count) FILTER (hour = 3 AND day BETWEEN 1 AND 5),
      avg(people_count) FILTER (hour = 12 AND day = 7), count(*) FILTER (result <> 'SUCCESS')::INTEGER
      FROM (SELECT *, extract(hour FROM timezone('Europe/Tallinn', timestamp)) AS hour, isodow(timezone('Europe/Tallinn', timestamp)) AS day FROM realtime.headcounts)`);
    expect(Number(noon)).toBeGreaterThan(3 * Number(night));
    expect(Number(noon)).toBeGreaterThan(1.1 * Number(sunday));
    expect(Number(night)).toBeGreaterThan(100);
    expect(suppressed).toBe(0);
  });

  it("is at no scheduled tick, and is not added again", async () => {
    expect(await rows("SELECT count(*)::INTEGER FROM realtime.headcounts WHERE epoch_ms(tick) % 1000 = 0")).toEqual([[0]]);
    await loadHistory(connection, SIZE, OF, new Date(NOW.getTime() + 600_000));
    expect(await rows("SELECT count(*)::INTEGER FROM realtime.headcounts")).toEqual([[16129]]);
  });
});
