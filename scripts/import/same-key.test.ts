import { quotedString } from "@duckdb/node-api";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { parseCountryTable } from "../../shared/products/countries.ts";
import { LOADED_TABLES } from "../../shared/products/loaded-tables.ts";
import { openDuckDb } from "./duckdb-session.ts";
import { findFaults } from "./faults.ts";
import { NO_FAULTS } from "./import-error.ts";
import { rowFaults } from "./row-faults.ts";

const RUNS = 60;
const CONTEXT = {
  countries: parseCountryTable("testing", { UTO: { name: "Utopia", time_zone: "UTC", people_per_device: 4 } }),
  now: new Date(),
  columns: [],
};
const SOURCE = {
  columns: [],
  relation: "rows",
  parallelRelation: "rows",
  rows: 0,
  checksum: "",
  placeOf: (row: number) => `row ${row}`,
  positionOf: (row: number) => row,
  malformed: NO_FAULTS,
} as const;
const HOUR_MS = 3_600_000;
const START = Date.UTC(2026, 9, 24);

/** Hours close together, many days apart, and now and then none or a time between two hours, as when another check reports the value. */
const time = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 0, max: 70 }).map((hours) => START + hours * HOUR_MS) },
  { weight: 3, arbitrary: fc.integer({ min: -20, max: 20 }).map((spans) => START + spans * 32 * HOUR_MS) },
  { weight: 1, arbitrary: fc.constantFrom(undefined, 0, START + HOUR_MS / 2) },
);

function literalOf(column: string): fc.Arbitrary<string> {
  if (column === "time_bucket")
    return time.map((at) => (at === undefined ? "CAST(NULL AS TIMESTAMPTZ)" : `TIMESTAMPTZ '${new Date(at).toISOString()}'`));
  if (column === "direction")
    return fc.constantFrom("CAST(-1 AS BIGINT)", "CAST(1 AS BIGINT)", "CAST(1 AS BIGINT)", "CAST(NULL AS BIGINT)");
  if (column === "batch_date") return fc.constantFrom("DATE '2026-10-24'", "DATE '2026-10-25'");
  if (column.endsWith("_id")) return fc.constantFrom("CAST(1 AS BIGINT)", "CAST(2 AS BIGINT)");
  return fc.constantFrom(quotedString("UTO"), quotedString("EST"));
}

test.each(["flows_hourly", "activities_hourly", "odm_daily"])(
  "exactly the rows of %s that have the key of an earlier row are reported",
  async (name) => {
    const table = LOADED_TABLES.find((candidate) => candidate.name === name);
    if (!table) throw new Error(`There is no table ${name}`);
    const duckdb = await openDuckDb();
    onTestFinished(duckdb.close);
    const query = rowFaults(table, { ...CONTEXT, label: (column) => column }).at(-1) ?? "";
    const row = fc.tuple(...table.key.map(literalOf));
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 120 }), async (rows) => {
        const values = rows.map((row, index) => `(${[`CAST(${index + 1} AS BIGINT)`, ...row].join(", ")})`);
        await duckdb.run(`CREATE OR REPLACE TABLE rows AS FROM (VALUES ${values.join(", ")}) AS made("#", ${table.key.join(", ")})`);
        const { first, total } = await findFaults(SOURCE, duckdb, [query]);
        const firstOf = new Map<string, number>();
        const expected: string[] = [];
        for (const [index, row] of rows.entries()) {
          const key = row.join(" ");
          // A missing value is none that two rows have.
          if (key.includes("NULL")) continue;
          const twin = firstOf.get(key);
          if (twin === undefined) firstOf.set(key, index + 1);
          else expected.push(`row ${index + 1} as row ${twin}`);
        }
        expect(total).toBe(expected.length);
        expect(first.map(({ where, says }) => `${where} ${/as row \d+$/.exec(says)?.[0]}`)).toEqual(expected.slice(0, 100));
      }),
      { numRuns: RUNS, seed: 22 },
    );
  },
);
