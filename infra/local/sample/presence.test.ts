import { expect, onTestFinished, test } from "vitest";
import { clientQuery } from "../../../shared/google/bigquery.ts";
import { loadTickStatement } from "../../../shared/publishing/load-tick.ts";
import { startWarehouseUnderTest } from "../../testing/engines/warehouse-under-test.ts";
import { makeTables } from "../tables.ts";
import { generatePresence } from "./presence.ts";
import { SAMPLE_COUNTRIES } from "./rules.ts";

test("a tick of the sample is published as the service's own load publishes it", async () => {
  const warehouse = await startWarehouseUnderTest();
  onTestFinished(() => warehouse.close());
  await makeTables(warehouse);
  const connection = await warehouse.connection();
  const tick = "2026-01-15T11:05:00Z";
  await generatePresence(connection, { seed: 3, scale: 0.25, tick: new Date(tick) });
  const published = async () => (await connection.runAndReadAll("SELECT * FROM realtime.presence ORDER BY ALL")).getRowsJson();
  const versions = async () =>
    (await connection.runAndReadAll("SELECT country_code, version, row_count FROM mobility.batches ORDER BY ALL")).getRowsJson();
  const made = [await published(), await versions()];
  expect(made[0]?.length).toBeGreaterThan(100);
  expect(made[1]).toHaveLength(SAMPLE_COUNTRIES.length);

  await warehouse.client.query(`CREATE TABLE staging.import_1 AS SELECT * FROM intake.presence WHERE tick = "${tick}"`);
  for (const table of ["intake.presence", "intake.batches", "mobility.batches", "realtime.presence"])
    await connection.run(`DELETE FROM ${table}`);
  for (const country of SAMPLE_COUNTRIES) {
    const columns = ["tick", "country_code", "cell_id", "people", "devices"];
    const load = { staging: "staging.import_1", columns, country: { ...country, isProtected: false }, tick, checksum: "again" };
    await warehouse.client.query(clientQuery(loadTickStatement(load)));
  }
  expect([await published(), await versions()]).toEqual(made);
  connection.closeSync();
});
