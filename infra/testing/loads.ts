import { clientQuery } from "../../shared/google/bigquery.ts";
import type { Statement } from "../../shared/google/statement.ts";
import { FACT_TABLES, PRODUCTS } from "../../shared/products/catalogue.ts";
import { loadStatement } from "../../shared/publishing/load.ts";
import type { Load } from "../../shared/publishing/staged-load.ts";
import { makeTables } from "../local/tables.ts";
import { startWarehouseUnderTest } from "./engines/warehouse-under-test.ts";

/** The values of a row by column. Omitted columns are 0. */
export type LoadedRow = Readonly<Record<string, string | number>>;

const STAGING = "staging.import_1";
/** The columns of facts that tests may omit. */
const COUNTS = [...PRODUCTS.flatMap(({ columns }) => Object.keys(columns).filter((name) => columns[name]?.type === "INT64")), "devices"];

export interface Loads {
  /** Puts rows into a staging table and returns their load: facts from 2026, of EST with k = 5 and steps of 20 people. */
  readonly stage: (table: string, rows: readonly LoadedRow[]) => Promise<Load>;
  /** Stages rows and loads them. */
  readonly load: (table: string, rows: readonly LoadedRow[]) => Promise<void>;
  /** Runs a statement, or a GoogleSQL text, and returns its rows. */
  readonly run: (statement: Pick<Statement, "sql" | "parameters"> | string) => Promise<unknown[]>;
  readonly close: () => Promise<void>;
}

/** Starts a local BigQuery with the service's tables, which loads rows as imports do. */
export async function startLoads(): Promise<Loads> {
  const warehouse = await startWarehouseUnderTest();
  await makeTables(warehouse);
  const run: Loads["run"] = async (statement) => {
    const { sql, parameters } = typeof statement === "string" ? { sql: statement, parameters: {} } : statement;
    const [rows] = await warehouse.client.query({ ...clientQuery({ sql, parameters }), wrapIntegers: false });
    return rows;
  };
  let loads = 0;
  const stage: Loads["stage"] = async (table, rows) => {
    await run(
      `CREATE OR REPLACE TABLE \`${STAGING}\` AS SELECT * EXCEPT (loaded_on) FROM \`intake.${table}\` WHERE loaded_on = "1970-01-01"`,
    );
    const [metadata] = await warehouse.client.dataset("staging").table("import_1").getMetadata();
    const has = new Set(metadata.schema.fields.map(({ name }: { name: string }) => name));
    const columns = [...new Set([...rows.flatMap((row) => Object.keys(row)), ...COUNTS.filter((name) => has.has(name))])];
    const lines = rows.map((row) => `(${columns.map((name) => JSON.stringify(row[name] ?? 0)).join(", ")})`);
    await run(`INSERT INTO \`${STAGING}\` (${columns.join(", ")}) VALUES ${lines.join(", ")}`);
    loads += 1;
    return {
      table,
      staging: STAGING,
      columns: columns.map((name) => ({ name, isGeography: false })),
      key: FACT_TABLES.find(({ name }) => name === table)?.key ?? [],
      replaces: ["country_code", "batch_date"],
      countries: [{ code: "EST", k: 5, step: 20, peopleOfDevice: 4, finestType: "grid_250m", isProtected: false, distance: "none" }],
      publication: FACT_TABLES.find(({ name }) => name === table)?.publication,
      days: { first: "2026-01-01", last: "2030-12-31" },
      checksum: `load ${loads}`,
    };
  };
  return {
    stage,
    load: async (table, rows) => {
      await run(loadStatement(await stage(table, rows)));
    },
    run,
    close: warehouse.close,
  };
}
