import { afterAll, beforeAll, describe, expect, it } from "vitest";
import countries from "../../infra/countries.json" with { type: "json" };
import { makeTables } from "../../infra/local/tables.ts";
import { LOCATION, startWarehouseUnderTest, type WarehouseUnderTest } from "../../infra/testing/engines/warehouse-under-test.ts";
import { parseCountryTable } from "../../shared/products/countries.ts";
import type { Target } from "../import/target.ts";
import { auditCountry } from "./audit-country.ts";
import { readCountry, readDays } from "./read-dataset.ts";
import { openSolver, type Solver } from "./solver.ts";
import { DATE, ESTONIA, GEOGRAPHIES, type PlantedRow, plantedRows } from "./testing/planted-day.ts";

let warehouse: WarehouseUnderTest;
let target: Target;
let solver: Solver;

const run = (sql: string): Promise<unknown> => warehouse.client.query(sql);
const insert = (table: string, columns: string, rows: readonly string[]): Promise<unknown> =>
  run(`INSERT INTO \`${table}\` (${columns}) VALUES ${rows.map((row) => `(${row})`).join(", ")}`);

/** Puts the planted town into both datasets. */
async function plant(rows: readonly PlantedRow[]): Promise<void> {
  const columns = "country_code, geo_type, geo_id, time_bucket, people, stays_count, stays_dwell_minutes, stays_devices, batch_date";
  const values = ({ geoType, geoId, bucket }: PlantedRow, people: number): string =>
    `"EST", "${geoType}", ${geoId}, "${bucket}", ${people}, 0, 0, 0, "${DATE}"`;
  for (const table of ["activities_hourly", "activities_daily"]) {
    const own = rows.filter((row) => row.table === table);
    await insert(
      `intake.${table}`,
      `${columns}, devices, loaded_on`,
      own.map((row) => `${values(row, row.people)}, ${row.devices}, "${DATE}"`),
    );
    const told = own.filter(({ published }) => published > 0);
    await insert(
      `mobility.${table}`,
      columns,
      told.map((row) => values(row, row.published)),
    );
  }
}

beforeAll(async () => {
  solver = await openSolver();
  warehouse = await startWarehouseUnderTest();
  await makeTables(warehouse);
  target = { bigquery: warehouse.client, location: LOCATION, countries: parseCountryTable("infra/countries.json", countries) };
  await insert(
    "mobility.geographies",
    "country_code, geo_type, geo_id, geo_name, parent_id, lon, lat",
    GEOGRAPHIES.map(({ geo_type, geo_id, parent_id }) => `"EST", "${geo_type}", ${geo_id}, "n", ${parent_id ?? "NULL"}, 25, 59`),
  );
  await insert("mobility.batches", "country_code, table_name, batch_date, version, row_count, loaded_at", [
    `"EST", "activities_hourly", "${DATE}", 1, 20, "2026-03-02T00:00:00Z"`,
  ]);
  await plant(plantedRows());
});

afterAll(() => warehouse.close());

describe("an audit of a planted town in a warehouse", () => {
  const audit = async () => auditCountry(target, await readCountry(target, "EST"), DATE, true, solver);

  it("reads the days and the rules", async () => {
    expect(await readDays(target, 3)).toEqual(new Map([["EST", [DATE]]]));
    expect((await readCountry(target, "EST")).activities).toEqual(ESTONIA);
  });

  it("finds sets of 1 to k - 1 devices, recovers none, and explains every row", async () => {
    const { findings, unexplained, pairings } = await audit();
    expect(unexplained).toBe(0);
    expect([...findings].filter(([, { recovered, wrong }]) => recovered + wrong > 0)).toEqual([]);
    expect(findings.get("withheld rows, hour")).toMatchObject({ considered: 5, shown: 0, open: 0 });
    expect(findings.get("two versions (drawn corrections)")?.considered).toBe(100);
    expect(pairings.filter(({ published }) => published === undefined)).not.toEqual([]);
  });

  it("scores nothing without the truth, and says so", async () => {
    const { unexplained, pairings } = await auditCountry(target, await readCountry(target, "EST"), DATE, false, undefined);
    expect([unexplained, pairings]).toEqual([undefined, []]);
  });

  it("sees a row that is not as the rule publishes it", async () => {
    await run(`UPDATE \`mobility.activities_hourly\` SET people = people + 20 WHERE batch_date = "${DATE}" AND geo_type = "admin_level_2"`);
    expect((await audit()).unexplained).toBe(2);
  });
});
