import { readFileSync } from "node:fs";
import { stepOf } from "../../shared/countries/step.ts";
import { clientQuery } from "../../shared/google/bigquery.ts";
import { rowsOf, type Statement } from "../../shared/google/statement.ts";
import { parseCountryTable } from "../../shared/products/countries.ts";
import { loadTickStatement } from "../../shared/publishing/load-tick.ts";
import type { HeadcountRow } from "../../shared/realtime/headcount-rows.ts";
import { headcountsOfTickStatement, headcountsStatement, newestTicksStatement } from "../../shared/realtime/headcounts.ts";
import type { MonitoredRow } from "../../shared/realtime/monitored-rows.ts";
import { makeTables } from "../local/tables.ts";
import { startWarehouseUnderTest, type WarehouseUnderTest } from "./engines/warehouse-under-test.ts";

const MINUTE = 60_000;
const NOON = Date.UTC(2026, 0, 15, 12);
const STAGING = "staging.import_1";
const TABLES = [
  "intake.presence",
  "intake.batches",
  "mobility.batches",
  "mobility.geography_cells",
  "mobility.coverage",
  "realtime.presence",
  "realtime.monitored_maps",
  "realtime.headcounts",
];

/** The built-in rules: k is 5 and the step 20 in Estonia, 7 and 30 in Latvia. */
export const COUNTRIES = parseCountryTable(
  "countries.json",
  JSON.parse(readFileSync(new URL("../countries.json", import.meta.url), "utf8")),
);

/** Returns the time so many minutes after noon of the warehouse's day. */
export const at = (minutes: number): Date => new Date(NOON + minutes * MINUTE);

/** Returns a cell of a country's network, as a row of `mobility.geography_cells`. */
export const network = (cell_id: number, country_code = "EST") => ({
  ...{ country_code, geo_type: "grid_250m", geo_id: cell_id, cell_id, weight: 1 },
});

/** Returns a version of a map over weighted cells. `part` and the other fields can be overridden. */
export function version(map_id: string, number: number, cells: Record<number, number>, other: Partial<MonitoredRow> = {}): MonitoredRow {
  return {
    map_id,
    uid: "acme",
    name: `${map_id} v${number}`,
    version: number,
    part: 0,
    is_monitored: true,
    country_code: "EST",
    geo_type: null,
    geo_ids: [],
    cells: Object.entries(cells).map(([cell_id, weight]) => ({ cell_id: Number(cell_id), weight })),
    appended_at: at(-10).toISOString(),
    ...other,
  };
}

export interface RealtimeWarehouse extends WarehouseUnderTest {
  /** Removes all rows that realtime reads and writes. */
  readonly empty: () => Promise<void>;
  readonly run: <Row>(statement: Statement<Row>) => Promise<readonly Row[]>;
  readonly append: (...rows: MonitoredRow[]) => Promise<void>;
  /** Loads presence of cells (people, devices) at a tick, as imports do, of nobody if there are none. */
  readonly measured: (
    tick: Date,
    cells: Record<number, readonly [people: number, devices: number]>,
    country?: "EST" | "LAT" | "LTU" | "NOR",
  ) => Promise<void>;
  /** Adds published cells (people) at a tick that is not in the ledger. */
  readonly publishedAlone: (tick: Date, cells: Record<number, number>) => Promise<void>;
  /** Runs a tick, as a refresh does, and returns its rows. */
  readonly refreshed: (tick: Date) => Promise<readonly HeadcountRow[]>;
  /** Runs a tick and returns the name, people and result of each map. */
  readonly counted: (tick: Date) => Promise<(string | number)[][]>;
}

/** Starts a local BigQuery with the tables of realtime, for running ticks. */
export async function startRealtimeWarehouse(): Promise<RealtimeWarehouse> {
  const warehouse = await startWarehouseUnderTest();
  await makeTables(warehouse);
  const { client } = warehouse;
  const run = async <Row>(statement: Statement<Row>): Promise<readonly Row[]> => {
    const [rows] = await client.query({ ...clientQuery(statement), wrapIntegers: false });
    return rowsOf(statement, rows);
  };
  const refreshed = async (tick: Date): Promise<readonly HeadcountRow[]> => {
    await run(headcountsStatement(tick, COUNTRIES, await run(newestTicksStatement(tick))));
    return run(headcountsOfTickStatement(tick));
  };
  return {
    ...warehouse,
    empty: async () => {
      const connection = await warehouse.connection();
      for (const table of TABLES) await connection.run(`DELETE FROM ${table}`);
      connection.closeSync();
    },
    run,
    append: async (...rows) => void (await client.dataset("realtime").table("monitored_maps").insert(rows)),
    measured: async (tick, cells, code = "EST") => {
      const rules = COUNTRIES[code];
      if (!rules) throw new Error(`there are no rules of ${code}`);
      const instant = tick.toISOString();
      const rows = Object.entries(cells).map(
        ([id, [people, devices]]) => `(TIMESTAMP "${instant}", "${code}", ${id}, ${people}, ${devices})`,
      );
      // A file of nobody has no rows, so no tick: only a pipeline of the provider's own can say it.
      if (rows.length === 0) {
        const batch = { country_code: code, table_name: "presence", tick, version: 1, row_count: 0, loaded_at: tick };
        return void (await client.dataset("mobility").table("batches").insert([batch]));
      }
      const columns = ["tick", "country_code", "cell_id", "people", "devices"];
      await client.query(
        `CREATE OR REPLACE TABLE ${STAGING} (tick TIMESTAMP, country_code STRING, cell_id INT64, people INT64, devices INT64)`,
      );
      await client.query(`INSERT INTO ${STAGING} (${columns.join(", ")}) VALUES ${rows.join(", ")}`);
      const country = { code, k: rules.k, step: stepOf(rules), isProtected: rules.isProtected, isStrict: rules.isStrict };
      await run(loadTickStatement({ staging: STAGING, columns, country, tick: instant, checksum: rows.join() }));
    },
    publishedAlone: async (tick, cells) => {
      const rows = Object.entries(cells).map(([cell_id, people]) => ({ tick, country_code: "EST", cell_id: Number(cell_id), people }));
      await client.dataset("realtime").table("presence").insert(rows);
    },
    refreshed,
    counted: async (tick) => (await refreshed(tick)).map(({ target_name, people_count, result }) => [target_name, people_count, result]),
  };
}
