import type { DuckDBConnection } from "@duckdb/node-api";
import * as v from "valibot";
import { BigQueryError, type Catalog, type TableInfo, type TableRef } from "../model.ts";
import { quoteName } from "../sql/sql-type.ts";
import { DatasetEntrySchema, TableEntrySchema } from "./catalog-schemas.ts";

/** The stored metadata of a dataset. Times are epoch milliseconds. */
export type DatasetEntry = v.InferOutput<typeof DatasetEntrySchema>;

/** The stored metadata of a table or a view. Times are epoch milliseconds. */
export interface TableEntry {
  readonly info: TableInfo;
  readonly creationTime: number;
  readonly lastModifiedTime: number;
  readonly expirationTime?: number | undefined;
  readonly labels: Readonly<Record<string, string>>;
}

/** The database schema that holds the server's own tables. */
export const METADATA = "bigquery_metadata";

/** Returns `project:dataset.table`, the form of BigQuery's ids and errors. */
export function tableName(ref: TableRef): string {
  return `${ref.project}:${ref.dataset}.${ref.table}`;
}

/** Returns the table's name inside DuckDB. */
export function sourceName(ref: TableRef): string {
  return `${quoteName(ref.dataset)}.${quoteName(ref.table)}`;
}

/** BigQuery's error for a table that does not exist. */
export function tableNotFound(ref: TableRef): BigQueryError {
  return new BigQueryError("notFound", `Not found: Table ${tableName(ref)}`);
}

/** BigQuery's error for a dataset that does not exist. */
export function datasetNotFound(project: string, dataset: string): BigQueryError {
  return new BigQueryError("notFound", `Not found: Dataset ${project}:${dataset}`);
}

/**
 * Datasets, tables and views: read from memory, persisted in tables of the database itself. A change is saved inside the caller's
 * transaction and becomes visible (`show…`) after the commit.
 */
export class MetadataCatalog implements Catalog {
  readonly project: string;
  /** Incremented by every change of a definition. */
  version = 0;
  readonly #datasets = new Map<string, DatasetEntry>();
  readonly #tables = new Map<string, Map<string, TableEntry>>();

  private constructor(project: string) {
    this.project = project;
  }

  static async open(connection: DuckDBConnection, project: string): Promise<MetadataCatalog> {
    const catalog = new MetadataCatalog(project);
    await connection.run(`CREATE SCHEMA IF NOT EXISTS ${METADATA}`);
    await connection.run(`CREATE TABLE IF NOT EXISTS ${METADATA}.datasets (id VARCHAR, entry VARCHAR)`);
    await connection.run(`CREATE TABLE IF NOT EXISTS ${METADATA}.tables (dataset VARCHAR, id VARCHAR, entry VARCHAR)`);
    for (const text of await texts(connection, `SELECT entry FROM ${METADATA}.datasets`))
      catalog.showDataset(v.parse(DatasetEntrySchema, JSON.parse(text)));
    for (const text of await texts(connection, `SELECT entry FROM ${METADATA}.tables`))
      catalog.showTable(v.parse(TableEntrySchema, JSON.parse(text)));
    await catalog.#openTouches(connection);
    return catalog;
  }

  async #openTouches(connection: DuckDBConnection): Promise<void> {
    const { project } = this;
    await connection.run(`CREATE TABLE IF NOT EXISTS ${METADATA}.touched (dataset VARCHAR, id VARCHAR, changed DOUBLE)`);
    const newest = await connection.runAndReadAll(`SELECT dataset, id, max(changed) FROM ${METADATA}.touched GROUP BY ALL`);
    for (const [dataset, table, at] of newest.getRows()) {
      const ref = { project, dataset: String(dataset), table: String(table) };
      if (Number(at) > (this.entry(ref)?.lastModifiedTime ?? Number.POSITIVE_INFINITY)) this.touch(ref, Number(at));
    }
    await connection.run(
      `DELETE FROM ${METADATA}.touched AS old WHERE changed < (SELECT max(changed) FROM ${METADATA}.touched AS new WHERE new.dataset = old.dataset AND new.id = old.id)`,
    );
  }

  dataset(project: string, dataset: string): DatasetEntry | undefined {
    return project === this.project ? this.#datasets.get(dataset) : undefined;
  }

  table(ref: TableRef): TableInfo | undefined {
    return this.entry(ref)?.info;
  }

  entry(ref: TableRef): TableEntry | undefined {
    return ref.project === this.project ? this.#tables.get(ref.dataset)?.get(ref.table) : undefined;
  }

  /** Returns all datasets by name. */
  datasets(): DatasetEntry[] {
    return [...this.#datasets.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  /** Returns the tables and views of a dataset by name. */
  tables(dataset: string): TableEntry[] {
    return [...(this.#tables.get(dataset)?.values() ?? [])].sort((a, b) => (a.info.ref.table < b.info.ref.table ? -1 : 1));
  }

  described({ project, dataset }: TableRef): readonly TableEntry[] {
    return project === this.project ? this.tables(dataset) : [];
  }

  async saveDataset(connection: DuckDBConnection, entry: DatasetEntry): Promise<void> {
    if (this.#datasets.has(entry.id)) await this.removeDataset(connection, entry.id);
    await connection.run(`INSERT INTO ${METADATA}.datasets VALUES ($id, $entry)`, { id: entry.id, entry: JSON.stringify(entry) });
  }

  async removeDataset(connection: DuckDBConnection, id: string): Promise<void> {
    await connection.run(`DELETE FROM ${METADATA}.datasets WHERE id = $id`, { id });
  }

  async saveTable(connection: DuckDBConnection, entry: TableEntry): Promise<void> {
    const { dataset, table: id } = entry.info.ref;
    if (this.entry(entry.info.ref)) await this.removeTable(connection, entry.info.ref);
    await connection.run(`INSERT INTO ${METADATA}.tables VALUES ($dataset, $id, $entry)`, { dataset, id, entry: JSON.stringify(entry) });
  }

  async removeTable(connection: DuckDBConnection, { dataset, table: id }: TableRef): Promise<void> {
    await connection.run(`DELETE FROM ${METADATA}.tables WHERE dataset = $dataset AND id = $id`, { dataset, id });
  }

  showDataset(entry: DatasetEntry): void {
    this.version += 1;
    this.#datasets.set(entry.id, entry);
    if (!this.#tables.has(entry.id)) this.#tables.set(entry.id, new Map());
  }

  hideDataset(id: string): void {
    this.version += 1;
    this.#datasets.delete(id);
    this.#tables.delete(id);
  }

  showTable(entry: TableEntry): void {
    this.version += 1;
    const { dataset, table } = entry.info.ref;
    this.#tables.get(dataset)?.set(table, entry);
  }

  hideTable({ dataset, table }: TableRef): void {
    this.version += 1;
    this.#tables.get(dataset)?.delete(table);
  }

  /**
   * Saves that a table's rows changed, inside the transaction that changes them. Rows are only inserted, so that writers do not conflict.
   */
  async saveTouch(connection: DuckDBConnection, { dataset, table: id }: TableRef, at: number): Promise<void> {
    await connection.run(`INSERT INTO ${METADATA}.touched VALUES ($dataset, $id, $at)`, { dataset, id, at });
  }

  /** Notes that a table's rows changed. */
  touch(ref: TableRef, at: number): void {
    const entry = this.entry(ref);
    if (entry) this.#tables.get(ref.dataset)?.set(ref.table, { ...entry, lastModifiedTime: at });
  }
}

async function texts(connection: DuckDBConnection, sql: string): Promise<string[]> {
  const reader = await connection.runAndReadAll(sql);
  return reader.getRows().map(([text]) => String(text));
}
