import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeTables } from "../../infra/local/tables.ts";
import { startWarehouseUnderTest, type WarehouseUnderTest } from "../../infra/testing/engines/warehouse-under-test.ts";
import { clientQuery } from "../google/bigquery.ts";
import { FACT_TABLES } from "../products/catalogue.ts";
import { loadParameters } from "./batches.ts";
import { publishedColumns, publishedRows } from "./publish-rows.ts";
import type { LoadedCountry } from "./staged-load.ts";

const EST: LoadedCountry = { code: "EST", k: 5, step: 20, peopleOfDevice: 4, finestType: undefined, isProtected: false, distance: "none" };
const FLOWS = {
  name: "flows_hourly",
  key: ["country_code", "link_id", "time_bucket", "direction"],
  publication: { values: [{ column: "people", rule: "people" }] },
} as const;

let warehouse: WarehouseUnderTest;

async function run(sql: string, parameters = {}): Promise<Record<string, unknown>[]> {
  const [rows] = await warehouse.client.query({ ...clientQuery({ sql, parameters }), wrapIntegers: false });
  return rows;
}

beforeAll(async () => {
  warehouse = await startWarehouseUnderTest();
  await makeTables(warehouse);
  const rows = [
    ["EST", 1, 4, 29],
    ["EST", 2, 5, 29],
    ["EST", 3, 5, 30],
    ["EST", 4, 5, 6],
    ["USA", 5, 9, 200],
    ["USA", 6, 10, 226],
  ].map(
    ([country, id, devices, people]) =>
      `("${country}", ${id}, "2026-03-01 10:00:00+00", 1, ${people}, ${devices}, "2026-03-01", "2026-03-02")`,
  );
  await run(`INSERT INTO intake.flows_hourly (country_code, link_id, time_bucket, direction, people, devices, batch_date, loaded_on)
    VALUES ${rows.join(", ")}, ("EST", 7, "2026-03-02 10:00:00+00", 1, 90, 20, "2026-03-02", "2026-03-02")`);
});

afterAll(() => warehouse.close());

async function publish(rule: "people" | "additive", countries: readonly LoadedCountry[]): Promise<unknown[]> {
  const table = { ...FLOWS, publication: { values: [{ column: "people", rule }] } };
  const sql = publishedRows({
    table,
    countries,
    batches: (alias) => `${alias}.loaded_on = "2026-03-02" AND ${alias}.batch_date = "2026-03-01"`,
  });
  const used = new Set(sql.match(/(?<=@)\w+/g));
  const parameters = Object.entries(loadParameters({ table: table.name, countries, days: undefined, checksum: "" }));
  const found = await run(
    `SELECT link_id, people FROM (${sql}) ORDER BY 1`,
    Object.fromEntries(parameters.filter(([name]) => used.has(name))),
  );
  return found.map((row) => Object.values(row));
}

describe("a row of a table without nesting", () => {
  it.each(["people", "additive"] as const)(
    "is told from its country's k devices, with %s to the nearest step and at least one",
    async (rule) => {
      expect(await publish(rule, [EST, { ...EST, code: "USA", k: 10, step: 45 }])).toEqual([
        [2, 20],
        [3, 40],
        [4, 20],
        [6, 225],
      ]);
    },
  );

  it("has its exact count where the step is 1, and is of the countries of the load alone", async () => {
    expect(await publish("people", [{ ...EST, step: 1 }])).toEqual([
      [2, 29],
      [3, 30],
      [4, 6],
    ]);
  });

  it("has its key, its day and its values", () => {
    const table = FACT_TABLES.find(({ name }) => name === FLOWS.name);
    expect(table && publishedColumns(table)).toEqual([...FLOWS.key, "batch_date", "people"]);
  });

  it("cannot have a value that nested areas bear on", () => {
    const table = { ...FLOWS, publication: { values: [{ column: "stays", rule: "devices" }] } } as const;
    expect(() => publishedRows({ table, countries: [EST], batches: () => "TRUE" })).toThrow("the column stays has the rule devices, which");
  });
});
