import { readFileSync } from "node:fs";
import { provisionDatasets } from "../../scripts/admin/local/datasets.ts";
import { stepOf } from "../../shared/countries/step.ts";
import { clientQuery } from "../../shared/google/bigquery.ts";
import { rowsOf, type Statement } from "../../shared/google/statement.ts";
import { parseCountryTable } from "../../shared/products/countries.ts";
import { loadTickStatement } from "../../shared/publishing/load-tick.ts";
import { type HeadcountRow, headcountsUpToTickStatement } from "../../shared/realtime/headcount-rows.ts";
import { headcountsStatement, newestTicksStatement } from "../../shared/realtime/headcounts.ts";
import type { CellsRow } from "../../shared/realtime/map-cells-table.ts";
import type { MonitoredRow } from "../../shared/realtime/monitored-rows.ts";
import { makeTables } from "../local/tables.ts";
import { PROJECT, startWarehouseUnderTest, type WarehouseUnderTest } from "./engines/warehouse-under-test.ts";

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
  "realtime.map_cells",
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

/** A part of a version of a map: with its cells in one country, or with standard geographies if it has a `geo_type`. */
export interface VersionPart extends Pick<MonitoredRow, "map_id" | "uid" | "name" | "version" | "is_monitored" | "country_code"> {
  readonly geo_type: string | null;
  readonly geo_ids: readonly number[];
  readonly part: number;
  /** How many parts the version has, if they are not all appended together. */
  readonly parts?: number;
  /** The geometry's name in the table of cells; its own unless another is named, whose cells it then has. */
  readonly geometry?: string;
  readonly cells: CellsRow["cells"];
  readonly appended_at: string;
}

/** Returns a version of a map over weighted cells. `part` and the other fields can be overridden. */
export function version(map_id: string, number: number, cells: Record<number, number>, other: Partial<VersionPart> = {}): VersionPart {
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

/** Returns the rows that a delivery appends for parts of versions: the cells of polygons, and one row a version, with its part 0. */
function rowsOfParts(parts: readonly VersionPart[]): { readonly cells: CellsRow[]; readonly versions: MonitoredRow[] } {
  const nameOf = ({ map_id, version }: VersionPart): string => `${map_id} v${version}`;
  const isPolygon = ({ geo_type, is_monitored }: VersionPart): boolean => geo_type === null && is_monitored;
  const countOf = (one: VersionPart): number =>
    one.parts ?? new Set(parts.flatMap((other) => (nameOf(other) === nameOf(one) && other.cells.length > 0 ? [other.part] : []))).size;
  const cells = parts.flatMap((one) => {
    const { uid, part, country_code, cells, appended_at } = one;
    if (!isPolygon(one) || cells.length === 0 || country_code === null) return [];
    return [{ uid, geometry_hash: nameOf(one), part, parts: countOf(one), country_code, cells, appended_at }];
  });
  const versions = parts.flatMap((one) => {
    const { part, parts: _parts, cells: _cells, geometry = nameOf(one), ...row } = one;
    if (part !== 0) return [];
    const polygon = { country_code: null, geometry_hash: geometry, cell_parts: countOf(one) };
    return [{ ...row, geometry_hash: null, cell_parts: null, ...(isPolygon(one) ? polygon : {}) }];
  });
  return { cells, versions };
}

export interface RealtimeWarehouse extends WarehouseUnderTest {
  /** Removes all rows that realtime reads and writes. */
  readonly empty: () => Promise<void>;
  readonly run: <Row>(statement: Statement<Row>) => Promise<readonly Row[]>;
  /** Appends versions of maps by their parts, as deliveries do. */
  readonly append: (...parts: VersionPart[]) => Promise<void>;
  /** Loads presence of cells (people, devices) at a tick, as imports do, of nobody if there are none. */
  readonly measured: (
    tick: Date,
    cells: Record<number, readonly [people: number, devices: number]>,
    country?: "EST" | "LAT" | "LTU" | "NOR",
  ) => Promise<void>;
  /** Adds published cells (people) at a tick that is not in the ledger. */
  readonly publishedAlone: (tick: Date, cells: Record<number, number>) => Promise<void>;
  /** Creates a customer's own tables and views, and fills the tables. */
  readonly provision: (uid: string) => Promise<void>;
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
    const rows = await run(headcountsUpToTickStatement(tick, MINUTE));
    return rows.filter((row) => row.tick === tick.toISOString());
  };
  return {
    ...warehouse,
    empty: async () => {
      const connection = await warehouse.connection();
      for (const table of TABLES) await connection.run(`DELETE FROM ${table}`);
      connection.closeSync();
      await warehouse.flush();
    },
    run,
    provision: async (uid) => {
      await provisionDatasets({ project: PROJECT }, warehouse.origin, uid);
    },
    append: async (...parts) => {
      const { cells, versions } = rowsOfParts(parts);
      if (cells.length > 0) await client.dataset("realtime").table("map_cells").insert(cells);
      if (versions.length > 0) await client.dataset("realtime").table("monitored_maps").insert(versions);
      // Their times are of long before.
      await warehouse.flush();
    },
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
