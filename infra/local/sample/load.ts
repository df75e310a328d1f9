import type { DuckDBConnection } from "@duckdb/node-api";
import * as v from "valibot";
import type { Statement } from "../../../shared/google/statement.ts";
import { LOADED_TABLES } from "../../../shared/products/loaded-tables.ts";
import { loadStatement } from "../../../shared/publishing/load.ts";
import { NESTED_LEVELS } from "../../../shared/publishing/nesting.ts";
import { queryParameters } from "../bigquery/jobs/query-parameters.ts";
import type { Catalog, Field, TableInfo } from "../bigquery/model.ts";
import { quoteName } from "../bigquery/sql/sql-type.ts";
import { translateScript } from "../bigquery/sql/translate.ts";
import { METADATA } from "../bigquery/warehouse/catalog.ts";
import { TableEntrySchema } from "../bigquery/warehouse/catalog-schemas.ts";
import { SAMPLE_COUNTRIES } from "./rules.ts";
import { inOneTransaction } from "./transaction.ts";

/** The first and the last staged day. The load reads only this range, not the days loaded earlier. */
const Days = v.tuple([v.tuple([v.nullable(v.string()), v.nullable(v.string())])]);

/** A load of rows into a table of `mobility`. */
interface SampleLoad {
  readonly checksum: string;
  /** Returns the statements that put the rows, without what a load decides, into an empty staging table. */
  readonly stage: (staging: string) => readonly string[];
  /** The statement that sets the times in the ledger. It runs in the load's transaction. */
  readonly dated: string;
}

/** Loads rows with the service's own statement, in a transaction. */
export type LoadSample = (table: string, load: SampleLoad) => Promise<void>;

/** Returns the function that loads tables through a connection. The local BigQuery's database must have the tables of `mobility`. */
export async function openLoads(connection: DuckDBConnection): Promise<LoadSample> {
  const catalog = await StagingCatalog.of(connection);
  return async (table, { checksum, stage, dated }) => {
    const { fields } = catalog.staged(table);
    const columns = fields.map(({ name }) => ({ name, isGeography: catalog.isGeography(table, name) }));
    const names = columns.map(({ name }) => quoteName(name)).join(", ");
    await connection.run(`CREATE OR REPLACE TEMP TABLE ${stagedName(table)} AS SELECT ${names} FROM mobility.${table} LIMIT 0`);
    for (const statement of stage(stagedName(table))) await connection.run(statement);
    const days = fields.some(({ name }) => name === "batch_date") ? await stagedDays(connection, table) : undefined;
    const { replaces = [], publication } = LOADED_TABLES.find(({ name }) => name === table) ?? {};
    const load = {
      table,
      staging: `staging.${table}`,
      columns,
      replaces,
      // The staged distances are those of the centroids already.
      countries: SAMPLE_COUNTRIES.map((country) => ({ ...country, distance: "none" }) as const),
      days,
      publication,
      levels: publication?.nesting ? NESTED_LEVELS : [],
      checksum,
    };
    const isFirst = await isFirstLoad(connection, table);
    await inOneTransaction(connection, async () => {
      await run(connection, catalog, loadStatement(load), isFirst);
      await connection.run(dated);
    });
    await connection.run(`DROP TABLE ${stagedName(table)}`);
  };
}

/** The tables of `mobility` as the database describes them, and `staging.<table>` for the temporary table of each. */
class StagingCatalog implements Catalog {
  readonly #tables: ReadonlyMap<string, TableInfo>;

  private constructor(tables: readonly TableInfo[]) {
    this.#tables = new Map(tables.map((info) => [info.ref.table, info]));
  }

  static async of(connection: DuckDBConnection): Promise<StagingCatalog> {
    const reader = await connection.runAndReadAll(`SELECT entry FROM ${METADATA}.tables WHERE dataset = 'mobility'`);
    return new StagingCatalog(reader.getRowsJS().map(([entry]) => v.parse(TableEntrySchema, JSON.parse(String(entry))).info));
  }

  dataset(): { readonly location: string } {
    return { location: "local" };
  }

  table({ dataset, table }: TableInfo["ref"]): TableInfo | undefined {
    return dataset === "staging" ? this.staged(table) : this.#tables.get(table);
  }

  described(): readonly [] {
    return [];
  }

  /** Returns the description of a table's staging table. A geography is WKT there. */
  staged(table: string): TableInfo {
    const { partitioning: _, ...info } = this.#known(table);
    const fields = info.fields
      .filter(({ name }) => name !== "publishable")
      .map((field): Field => (field.type === "GEOGRAPHY" ? { ...field, type: "STRING" } : field));
    return { ...info, fields, ref: { ...info.ref, dataset: "temp", table: stagedName(table) }, requirePartitionFilter: false };
  }

  isGeography(table: string, column: string): boolean {
    return this.#known(table).fields.some(({ name, type }) => name === column && type === "GEOGRAPHY");
  }

  #known(table: string): TableInfo {
    const info = this.#tables.get(table);
    if (!info) throw new Error(`there is no table mobility.${table}`);
    return info;
  }
}

function stagedName(table: string): string {
  return `staged_${table}`;
}

async function stagedDays(connection: DuckDBConnection, table: string): Promise<{ first: string; last: string }> {
  const reader = await connection.runAndReadAll(`SELECT min(batch_date)::VARCHAR, max(batch_date)::VARCHAR FROM ${stagedName(table)}`);
  const [[first, last]] = v.parse(Days, reader.getRowsJson());
  // If there are no rows, any day works.
  return { first: first ?? "1970-01-01", last: last ?? "1970-01-01" };
}

/**
 * Runs a script of the service, except for its transaction statements, because the caller has a transaction, and for DELETEs that would
 * find nothing.
 */
async function run(connection: DuckDBConnection, catalog: Catalog, { sql, parameters }: Statement, isFirst: boolean): Promise<void> {
  const rest = Object.entries(parameters).map(([name, { type, value }]) => ({
    name,
    parameterType: { type },
    parameterValue: { value: String(value) },
  }));
  const { types, bind } = queryParameters(rest);
  for (const statement of translateScript(sql, types, { project: "local", catalog })) {
    if (statement.kind !== "dml" || (isFirst && statement.verb === "DELETE")) continue;
    const prepared = await bind(connection, statement.sql);
    await prepared.run();
    prepared.destroySync();
  }
}

/** Returns whether a table has no load yet. Then there is nothing to replace. */
async function isFirstLoad(connection: DuckDBConnection, table: string): Promise<boolean> {
  const reader = await connection.runAndReadAll(`SELECT 1 FROM mobility.batches WHERE table_name = '${table}' LIMIT 1`);
  return reader.currentRowCount === 0;
}
