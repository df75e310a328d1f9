import type { DuckDBConnection } from "@duckdb/node-api";
import * as v from "valibot";
import type { Parameter } from "../../../shared/google/statement.ts";
import { parseCountryTable } from "../../../shared/products/countries.ts";
import {
  datasetOf,
  isFact,
  LOADED_TABLES,
  type LoadedTable,
  loadedCountry,
  publishedTables,
} from "../../../shared/products/loaded-tables.ts";
import { loadParameters } from "../../../shared/publishing/batches.ts";
import { loadSteps } from "../../../shared/publishing/load.ts";
import type { Load } from "../../../shared/publishing/staged-load.ts";
import countries from "../../countries.json" with { type: "json" };
import type { Catalog, Field, Statement, TableInfo } from "../bigquery/model.ts";
import { quoteName } from "../bigquery/sql/sql-type.ts";
import { translateScript } from "../bigquery/sql/translate.ts";
import { METADATA } from "../bigquery/warehouse/catalog.ts";
import { TableEntrySchema } from "../bigquery/warehouse/catalog-schemas.ts";
import { SAMPLE_COUNTRIES } from "./rules.ts";
import { inOneTransaction, runAll } from "./transaction.ts";

/** The first and the last staged day. The load reads only this range, not the days loaded earlier. */
const Days = v.tuple([v.tuple([v.nullable(v.string()), v.nullable(v.string())])]);

/** A load of rows. */
interface SampleLoad {
  readonly checksum: string;
  /** Returns the statements that put the rows, without what a load decides, into an empty staging table. */
  readonly stage: (staging: string) => readonly string[];
  /** The statements that set the times in the ledgers. They run in the load's transaction. */
  readonly dated: readonly string[];
}

/** Loads rows with the service's own statement, in a transaction. */
export type LoadSample = (table: string, load: SampleLoad) => Promise<void>;

/** The columns that identify a batch of facts. */
const BATCH = ["country_code", "batch_date"];
const ALL = (): boolean => true;
const TOLD: Field = { name: "told", type: "INTEGER", mode: "NULLABLE" };
const RULES = parseCountryTable("infra/countries.json", countries);

/**
 * Returns the function that loads tables through a connection. The local BigQuery's database must have the tables of `intake` and `mobility`.
 */
export async function openLoads(connection: DuckDBConnection): Promise<LoadSample> {
  const catalog = await StagingCatalog.of(connection);
  return async (name, { checksum, stage, dated }) => {
    const table = LOADED_TABLES.find((known) => known.name === name);
    if (!table) throw new Error(`${name} is not a table that is loaded`);
    const columns = catalog.columns(table);
    const staged = catalog.stage(stagedName(name), `${datasetOf(table)}.${name}`, (column) => !table.computed.includes(column));
    await connection.run(
      `CREATE OR REPLACE TEMP TABLE ${staged} AS SELECT ${columns.map((column) => quoteName(column.name)).join(", ")} FROM ${datasetOf(table)}.${name} LIMIT 0`,
    );
    for (const statement of stage(staged)) await connection.run(statement);
    const load: Load = {
      table: name,
      staging: `staging.${staged}`,
      columns,
      key: table.key,
      replaces: table.replaces,
      countries: SAMPLE_COUNTRIES.flatMap(({ code }) => ruled(table, code)),
      days: isFact(table) ? await stagedDays(connection, staged) : undefined,
      publication: table.publication,
      checksum,
    };
    const temporary = [staged];
    for (const target of publishedTables(table)) {
      const [rows, batches] = [`${staged}_${target}`, `${staged}_${target}_batches`];
      temporary.push(
        catalog.stage(rows, `mobility.${target}`, ALL, [TOLD]),
        catalog.stage(batches, "mobility.batches", (column) => BATCH.includes(column)),
      );
      await connection.run(`CREATE OR REPLACE TEMP TABLE ${rows} AS SELECT *, 0::BIGINT AS told FROM mobility.${target} LIMIT 0`);
      await connection.run(`CREATE OR REPLACE TEMP TABLE ${batches} AS SELECT ${BATCH.join(", ")} FROM mobility.batches LIMIT 0`);
    }
    const isFirst = await isFirstLoad(connection, load);
    await inOneTransaction(connection, async () => {
      await run(connection, catalog, load, isFirst);
      await runAll(connection, dated);
    });
    for (const name of temporary) await connection.run(`DROP TABLE ${name}`);
  };
}

function ruled(table: LoadedTable, code: string): Load["countries"] {
  const rules = RULES[code];
  const loaded = rules && loadedCountry(table, code, rules);
  return loaded ? [loaded] : [];
}

/** The tables of `intake` and `mobility` as the database describes them, and the temporary tables that stand for those of `staging`. */
class StagingCatalog implements Catalog {
  readonly #tables: Map<string, TableInfo>;

  private constructor(tables: readonly TableInfo[]) {
    this.#tables = new Map(tables.map((info) => [`${info.ref.dataset}.${info.ref.table}`, info]));
  }

  static async of(connection: DuckDBConnection): Promise<StagingCatalog> {
    const reader = await connection.runAndReadAll(`SELECT entry FROM ${METADATA}.tables WHERE dataset IN ('intake', 'mobility')`);
    return new StagingCatalog(reader.getRowsJS().map(([entry]) => v.parse(TableEntrySchema, JSON.parse(String(entry))).info));
  }

  dataset(): { readonly location: string } {
    return { location: "local" };
  }

  table({ dataset, table }: TableInfo["ref"]): TableInfo | undefined {
    return this.#tables.get(`${dataset}.${table}`);
  }

  described(): readonly [] {
    return [];
  }

  /** Adds a temporary table with the columns of another, all or some, in which a geography is WKT, and with more. Returns its name. */
  stage(name: string, like: string, isWanted: (column: string) => boolean = ALL, more: readonly Field[] = []): string {
    const { partitioning: _, ...info } = this.#known(like);
    const wanted = info.fields.filter((field) => isWanted(field.name));
    const fields = [...wanted, ...more].map((field): Field => (field.type === "GEOGRAPHY" ? { ...field, type: "STRING" } : field));
    const ref = { ...info.ref, dataset: "temp", table: name };
    this.#tables.set(`staging.${name}`, { ...info, fields, ref, requirePartitionFilter: false });
    return name;
  }

  /** The columns of a table that rows are staged with: all but those that the load computes. */
  columns(table: LoadedTable): Load["columns"] {
    return this.#known(`${datasetOf(table)}.${table.name}`)
      .fields.filter(({ name }) => !table.computed.includes(name))
      .map(({ name, type }) => ({ name, isGeography: type === "GEOGRAPHY" }));
  }

  #known(name: string): TableInfo {
    const info = this.#tables.get(name);
    if (!info) throw new Error(`there is no table ${name}`);
    return info;
  }
}

function stagedName(table: string): string {
  return `staged_${table}`;
}

async function stagedDays(connection: DuckDBConnection, staged: string): Promise<{ first: string; last: string }> {
  const reader = await connection.runAndReadAll(`SELECT min(batch_date)::VARCHAR, max(batch_date)::VARCHAR FROM ${staged}`);
  const [[first, last]] = v.parse(Days, reader.getRowsJson());
  // If there are no rows, any day works.
  return { first: first ?? "1970-01-01", last: last ?? "1970-01-01" };
}

/**
 * Runs the statements of a load within the caller's transaction. The first load of its days needs none that delete, or compare with what is
 * there: they would find nothing.
 */
async function run(connection: DuckDBConnection, catalog: StagingCatalog, load: Load, isFirst: boolean): Promise<void> {
  const parameters = loadParameters(load);
  // DuckDB plans a statement with bound values twice.
  const script = loadSteps(load).within.join(";\n");
  const sql = script.replace(/@(\w+)/g, (_, name: string) => {
    const parameter = parameters[name];
    if (!parameter) throw new Error(`a load of ${load.table} has no parameter ${name}`);
    return literal(parameter);
  });
  for (const statement of translateScript(sql, new Map(), { project: "local", catalog }))
    if (statement.kind === "dml" && (statement.verb === "INSERT" || !isFirst)) await connection.run(inPartitions(statement, catalog));
}

/**
 * Returns the SQL of a statement, in which rows are published in the order of their partitions. DuckDB has no partitions, but it skips a block of
 * rows without a wanted value: in the order of the joins, a day would be in many.
 */
function inPartitions({ verb, target, sql }: Extract<Statement, { kind: "dml" }>, catalog: StagingCatalog): string {
  const partitioning = target.dataset === "mobility" ? catalog.table(target)?.partitioning : undefined;
  return verb === "INSERT" && partitioning ? `${sql} ORDER BY ${quoteName(partitioning.column)}` : sql;
}

/** Returns the value of a parameter as GoogleSQL. */
function literal({ type, value }: Parameter): string {
  switch (type) {
    case "STRING":
      return JSON.stringify(value);
    case "DATE":
    case "TIMESTAMP":
      return `${type} ${JSON.stringify(value)}`;
    default:
      return `CAST(${JSON.stringify(value)} AS ${type})`;
  }
}

/** Returns whether a table has no load of the staged days yet, or none at all if it has no days. Then there is nothing to replace. */
async function isFirstLoad(connection: DuckDBConnection, { table, days }: Load): Promise<boolean> {
  const ofDays = days ? ` AND batch_date BETWEEN DATE '${days.first}' AND DATE '${days.last}'` : "";
  const reader = await connection.runAndReadAll(`SELECT 1 FROM intake.batches WHERE table_name = '${table}'${ofDays} LIMIT 1`);
  return reader.currentRowCount === 0;
}
