import type { DuckDBConnection } from "@duckdb/node-api";
import { BigQueryError, type Field, type NewColumn, type TableInfo, type TableRef } from "../model.ts";
import { quoteName } from "../sql/sql-type.ts";
import { columnDeclaration } from "../wire/column-types.ts";
import type { ByteEstimates } from "./bytes.ts";
import {
  type DatasetEntry,
  datasetNotFound,
  type MetadataCatalog,
  sourceName,
  type TableEntry,
  tableName,
  tableNotFound,
} from "./catalog.ts";
import { inTransaction } from "./database.ts";
import { withColumns } from "./new-columns.ts";

/** What to do if the object already exists. With neither option set: `duplicate`. */
export interface IfExists {
  readonly ifNotExists: boolean;
  readonly replace: boolean;
}

/** The attributes of a new table or view besides its definition. */
export type TableExtras = Partial<Pick<TableEntry, "creationTime" | "expirationTime" | "labels">>;

const DATASET_ID = /^\w{1,1024}$/;
const TABLE_ID = /^[\p{L}\p{M}\p{N}\p{Pc}\p{Pd}\p{Zs}]{1,1024}$/u;
const FIELD_NAME = /^[A-Za-z_]\w{0,299}$/;
/** Schemas reserved by DuckDB and this server. */
const RESERVED = new Set(["bigquery_metadata", "information_schema", "main", "pg_catalog", "statistics", "system", "temp"]);

/** Further work in the transaction of a change. */
type Also = () => Promise<void>;

async function nothing(): Promise<void> {}

/** Creates and removes datasets, tables and views: DuckDB's objects and the catalog's entries in one transaction. */
export class Definitions {
  readonly #catalog: MetadataCatalog;
  readonly #estimates: ByteEstimates;
  readonly #now: () => number;

  constructor(catalog: MetadataCatalog, estimates: ByteEstimates, now: () => number) {
    this.#catalog = catalog;
    this.#estimates = estimates;
    this.#now = now;
  }

  /** Returns a table or a view, if it exists. */
  find(ref: TableRef): TableInfo | undefined {
    return this.#catalog.table(ref);
  }

  /** Throws `duplicate` or `invalid`. */
  async createDataset(
    connection: DuckDBConnection,
    dataset: Pick<DatasetEntry, "id" | "location"> & Partial<DatasetEntry>,
    ifNotExists = false,
    also: Also = nothing,
  ): Promise<DatasetEntry> {
    const { id } = dataset;
    const known = this.#catalog.dataset(this.#catalog.project, id);
    if (known && ifNotExists) return known;
    if (known) throw new BigQueryError("duplicate", `Already Exists: Dataset ${this.#catalog.project}:${id}`);
    if (!DATASET_ID.test(id) || RESERVED.has(id.toLowerCase()))
      throw new BigQueryError(
        "invalid",
        `Invalid dataset ID "${id}". Dataset IDs must be alphanumeric (plus underscores) and must be at most 1024 characters long.`,
      );
    const at = this.#now();
    const entry: DatasetEntry = { labels: {}, creationTime: at, lastModifiedTime: at, ...dataset };
    await inTransaction(connection, async () => {
      await connection.run(`CREATE SCHEMA ${quoteName(id)}`);
      await this.#catalog.saveDataset(connection, entry);
      await also();
    });
    this.#catalog.showDataset(entry);
    return entry;
  }

  /** Throws `notFound`, or `resourceInUse` if it contains tables and `deleteContents` is not set. */
  async deleteDataset(connection: DuckDBConnection, id: string, deleteContents: boolean): Promise<void> {
    const { project } = this.#catalog;
    if (!this.#catalog.dataset(project, id)) throw datasetNotFound(project, id);
    const tables = this.#catalog.tables(id);
    if (tables.length > 0 && !deleteContents) throw new BigQueryError("resourceInUse", `Dataset ${project}:${id} is still in use`);
    await inTransaction(connection, async () => {
      await connection.run(`DROP SCHEMA ${quoteName(id)} CASCADE`);
      for (const { info } of tables) await this.#catalog.removeTable(connection, info.ref);
      await this.#catalog.removeDataset(connection, id);
    });
    for (const { info } of tables) this.#estimates.forget(info.ref, true);
    this.#catalog.hideDataset(id);
  }

  /**
   * Creates a table or a view and, in the same transaction, runs `fill` to add its rows. Returns undefined if it exists and `ifNotExists`
   * is set. Throws `duplicate`, `notFound` (the dataset) or `invalid` (its names).
   */
  async createTable(
    connection: DuckDBConnection,
    info: TableInfo,
    exists: IfExists,
    extras: TableExtras = {},
    fill?: () => Promise<void>,
  ): Promise<TableEntry | undefined> {
    const dataset = this.#catalog.dataset(info.ref.project, info.ref.dataset);
    if (!dataset) throw datasetNotFound(info.ref.project, info.ref.dataset);
    const known = this.#catalog.entry(info.ref);
    if (known && exists.ifNotExists) return undefined;
    if (known && !exists.replace) throw new BigQueryError("duplicate", `Already Exists: Table ${tableName(info.ref)}`);
    assertNames(info);
    const at = this.#now();
    const expires = dataset.defaultTableExpirationMs === undefined ? undefined : at + dataset.defaultTableExpirationMs;
    const entry: TableEntry = { info, creationTime: at, lastModifiedTime: at, expirationTime: expires, labels: {}, ...extras };
    await inTransaction(connection, async () => {
      if (known) await this.#remove(connection, known.info);
      if (info.view === undefined)
        await connection.run(`CREATE TABLE ${sourceName(info.ref)} (${info.fields.map(columnDeclaration).join(", ")})`);
      await this.#catalog.saveTable(connection, entry);
      await fill?.();
    });
    this.#estimates.forget(info.ref, true);
    this.#catalog.showTable(entry);
    return entry;
  }

  /** Adds columns to a table; existing rows have null in them, or an empty array. Throws `notFound` and `invalidQuery`. */
  async addColumns(connection: DuckDBConnection, ref: TableRef, columns: readonly NewColumn[], also: Also): Promise<void> {
    const known = this.#catalog.entry(ref);
    if (!known) throw tableNotFound(ref);
    const { info, added } = withColumns(known.info, columns);
    assertNames(info);
    const entry: TableEntry = { ...known, info, lastModifiedTime: this.#now() };
    await inTransaction(connection, async () => {
      for (const field of added) {
        const empty = field.mode === "REPEATED" ? " DEFAULT []" : "";
        await connection.run(`ALTER TABLE ${sourceName(ref)} ADD COLUMN ${columnDeclaration(field)}${empty}`);
      }
      await this.#catalog.saveTable(connection, entry);
      await also();
    });
    this.#estimates.forget(ref, true);
    this.#catalog.showTable(entry);
  }

  /** Adds labels to a table or a view, and removes those that are null. Throws `notFound`. */
  async changeLabels(connection: DuckDBConnection, ref: TableRef, changes: Readonly<Record<string, string | null>>): Promise<TableEntry> {
    const known = this.#catalog.entry(ref);
    if (!known) throw tableNotFound(ref);
    const labels = Object.entries({ ...known.labels, ...changes }).flatMap(([name, value]) => (value === null ? [] : [[name, value]]));
    const entry: TableEntry = { ...known, labels: Object.fromEntries(labels), lastModifiedTime: this.#now() };
    await inTransaction(connection, () => this.#catalog.saveTable(connection, entry));
    this.#catalog.showTable(entry);
    return entry;
  }

  /** Removes a table or a view. Throws `notFound`. */
  async dropTable(connection: DuckDBConnection, ref: TableRef, also: Also = nothing): Promise<void> {
    const info = this.#catalog.table(ref);
    if (!info) throw tableNotFound(ref);
    await inTransaction(connection, async () => {
      await this.#remove(connection, info);
      await also();
    });
    this.#estimates.forget(ref, true);
    this.#catalog.hideTable(ref);
  }

  async #remove(connection: DuckDBConnection, info: TableInfo): Promise<void> {
    if (info.view === undefined) await connection.run(`DROP TABLE ${sourceName(info.ref)}`);
    await this.#catalog.removeTable(connection, info.ref);
  }
}

function assertNames(info: TableInfo): void {
  if (!TABLE_ID.test(info.ref.table))
    throw new BigQueryError("invalid", `Invalid table ID "${info.ref.table}". Table IDs must be alphanumeric (plus underscores).`);
  if (info.fields.length === 0) throw new BigQueryError("invalid", `Table ${tableName(info.ref)} does not have a schema.`);
  assertFields(info.fields);
  const missing = [...(info.partitioning ? [info.partitioning.column] : []), ...info.clustering].find(
    (name) => !info.fields.some((field) => field.name === name),
  );
  if (missing !== undefined)
    throw new BigQueryError("invalid", `The field specified for partitioning or clustering cannot be found in the schema: ${missing}.`);
}

function assertFields(fields: readonly Field[]): void {
  const seen = new Set<string>();
  for (const { name, type, fields: children } of fields) {
    if (!FIELD_NAME.test(name))
      throw new BigQueryError(
        "invalid",
        `Invalid field name "${name}". Fields must contain only letters, numbers, and underscores, start with a letter or underscore, and be at most 300 characters long.`,
      );
    if (seen.has(name.toLowerCase())) throw new BigQueryError("invalid", `Field ${name} already exists in schema`);
    seen.add(name.toLowerCase());
    if (type === "RECORD" && (children ?? []).length === 0)
      throw new BigQueryError("invalid", `Field ${name} is type RECORD but has no schema`);
    assertFields(children ?? []);
  }
}
