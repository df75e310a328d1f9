import * as v from "valibot";
import countries from "../../infra/countries.json" with { type: "json" };
import { columnsOf } from "../../shared/google/columns.ts";
import { parseCountryTable } from "../../shared/products/countries.ts";
import { LOADED_TABLES, type LoadedTable, loadedCountry } from "../../shared/products/loaded-tables.ts";
import { loadParameters } from "../../shared/publishing/batches.ts";
import { loadSteps } from "../../shared/publishing/load.ts";
import { publishedWith } from "../../shared/publishing/load-facts.ts";
import type { FactLoad } from "../../shared/publishing/staged-load.ts";
import { timed } from "./measure.ts";
import type { OwnWarehouse } from "./own-warehouse.ts";

/** The sample's country with all levels and mixed pairs. */
const COUNTRY = "LAT";
const DAY = "2026-03-11";
/** Just after midnight in the country, so that the day before is whole. */
const NOW = new Date("2026-03-11T22:30:00Z");
const BATCH = `country_code = '${COUNTRY}' AND batch_date = DATE '${DAY}'`;
const LEDGERS = ["intake.batches", "mobility.batches", "mobility.batch_geo_types"];
const FACTS = ["activities_daily", "activities_hourly", "odm_daily", "flows_hourly"];
const Counted = v.tuple([v.tuple([v.pipe(v.bigint(), v.transform(Number))])]);

/** A country whose newest day is not loaded yet. */
export interface OneDay {
  /** Returns the day's rows of a table, which are staged. */
  readonly stage: (table: string) => Promise<StagedDay>;
}

interface StagedDay {
  /**
   * Loads the day and takes it back. Returns the milliseconds that the statements of publishing take, and those of the statements among them that
   * decide the rows, alone and into tables that are empty. `afterPublishing` is called between the two.
   */
  readonly tried: (afterPublishing: () => void) => Promise<{ readonly publish: number; readonly bare: number }>;
  /** Loads the day. Returns how many rows it has, and how many of these are published in the table of the same name. */
  readonly load: () => Promise<{ readonly rows: number; readonly published: number }>;
}

/** Generates a sample that ends with a day, and puts the day's raw rows into staging tables, as if nothing of the day had been loaded. */
export async function openOneDay(warehouse: OwnWarehouse, generate: (now: Date) => Promise<void>): Promise<OneDay> {
  const { client, connection } = warehouse;
  await generate(NOW);
  for (const table of FACTS) {
    const names = (await columns(warehouse, "intake", table)).filter((name) => name !== "loaded_on");
    const rows = `SELECT ${names.join(", ")} FROM intake.${table} WHERE loaded_on > '1970-01-01' AND ${BATCH}`;
    await client.query(`CREATE TABLE staging.import_${table} AS ${rows}`);
    for (const dataset of ["intake", "mobility"]) await connection.run(`DELETE FROM ${dataset}.${table} WHERE ${BATCH}`);
    for (const ledger of LEDGERS) await connection.run(`DELETE FROM ${ledger} WHERE table_name = '${table}' AND ${BATCH}`);
  }
  return { stage: (table) => stage(warehouse, table) };
}

async function stage(warehouse: OwnWarehouse, name: string): Promise<StagedDay> {
  const { client, connection } = warehouse;
  const table = LOADED_TABLES.find((known) => known.name === name);
  if (!table) throw new Error(`${name} is not a table that is loaded`);
  const load = loadOf(table, await columns(warehouse, "staging", `import_${name}`));
  const steps = loadSteps(load);
  const publishings = publishedWith(load);
  const publishes = new Set(publishings.flatMap(({ publish }) => publish));
  const bare = publishings.flatMap(({ publish }) => publish.filter((sql) => sql.includes("WITH rules AS"))).map(bareOf);
  await client.query([...steps.before, ...steps.before.map(bareOf)].join(";\n"));
  /** Runs a statement. Returns its milliseconds. */
  const run = async (sql: string): Promise<number> => {
    const {
      statements: [statement],
      values,
    } = await warehouse.translate(sql, usedParameters(load, sql));
    if (statement?.kind !== "dml") throw new Error(`not a change of rows: ${sql}`);
    return timed(async () => {
      const prepared = await values.prepare(connection, statement.sql);
      await prepared.run();
      prepared.destroySync();
    });
  };
  const loaded = async (): Promise<number> => {
    let publish = 0;
    for (const sql of steps.within) {
      const ms = await run(sql);
      if (publishes.has(sql)) publish += ms;
    }
    return publish;
  };
  return {
    tried: async (afterPublishing) => {
      await connection.run("BEGIN TRANSACTION");
      const times = { publish: await loaded(), bare: 0 };
      afterPublishing();
      for (const sql of bare) times.bare += await run(sql);
      await connection.run("ROLLBACK");
      return times;
    },
    load: async () => {
      await connection.run("BEGIN TRANSACTION");
      await loaded();
      await connection.run("COMMIT");
      const count = async (of: string): Promise<number> =>
        v.parse(Counted, (await connection.runAndReadAll(`SELECT count(*) FROM ${of} WHERE ${BATCH}`)).getRows())[0][0];
      return { rows: await count(load.staging), published: await count(`mobility.${name}`) };
    },
  };
}

/** Returns a statement that creates or fills a table, for another table. */
function bareOf(sql: string): string {
  return sql.replace(/^(CREATE OR REPLACE TABLE|INSERT INTO) `([^`]+)`/, "$1 `$2_bare`");
}

function loadOf(table: LoadedTable, names: readonly string[]): FactLoad {
  const rules = parseCountryTable("infra/countries.json", countries)[COUNTRY];
  const country = rules && loadedCountry(table, COUNTRY, rules);
  const { publication } = table;
  if (!country || !publication) throw new Error(`${COUNTRY} has no ${table.name}`);
  return {
    table: table.name,
    staging: `staging.import_${table.name}`,
    columns: names.map((name) => ({ name, isGeography: false })),
    key: table.key,
    replaces: table.replaces,
    countries: [country],
    days: { first: DAY, last: DAY },
    publication,
    checksum: "bench",
  };
}

/** Returns the parameters that a statement names. */
function usedParameters(load: FactLoad, sql: string): ReturnType<typeof loadParameters> {
  const used = new Set(sql.match(/(?<=@)\w+/g));
  return Object.fromEntries(Object.entries(loadParameters(load)).filter(([name]) => used.has(name)));
}

async function columns({ client }: OwnWarehouse, dataset: string, table: string): Promise<string[]> {
  const [metadata] = await client.dataset(dataset).table(table).getMetadata();
  return columnsOf(metadata).map(({ name }) => name);
}
