import type { DuckDBConnection, DuckDBValue } from "@duckdb/node-api";
import { RowAppender } from "../load/append.ts";
import { BigQueryError, type Statement, type TableRef } from "../model.ts";
import type { ParameterValues } from "../sql/parameter-values.ts";
import { duckType, quoteName, typeOfField } from "../sql/sql-type.ts";
import { STREAMED, STREAMED_AT, streamedTable } from "../sql/streamed.ts";
import type { MetadataCatalog, TableEntry } from "./catalog.ts";
import type { Database } from "./database.ts";

/** How long BigQuery keeps a streamed row where no DML statement may reach it: up to 90 minutes. */
const BUFFERED_MS = 90 * 60_000;

/**
 * The streaming buffer: the rows that `tabledata.insertAll` added lately, which BigQuery neither updates nor deletes.
 * Source: https://docs.cloud.google.com/bigquery/docs/data-manipulation-language#limitations
 */
export class StreamingBuffer {
  readonly #database: Database;
  readonly #catalog: MetadataCatalog;
  /** By the name of the copies. */
  readonly #copies: Map<string, Copies>;
  /** Two connections cannot define one table at once. */
  #defining: Promise<void> = Promise.resolve();

  private constructor(database: Database, catalog: MetadataCatalog, copies: Map<string, Copies>) {
    this.#database = database;
    this.#catalog = catalog;
    this.#copies = copies;
  }

  static open(database: Database, catalog: MetadataCatalog): Promise<StreamingBuffer> {
    return database.use(async (connection) => {
      await connection.run(`CREATE SCHEMA IF NOT EXISTS ${quoteName(STREAMED)}`);
      const tables = await connection.runAndReadAll(
        `SELECT table_name, column_count FROM duckdb_tables() WHERE schema_name = '${STREAMED}'`,
      );
      const copies = new Map<string, Copies>();
      for (const [name, columns] of tables.getRows()) {
        const found = await connection.runAndReadAll(`SELECT max(${STREAMED_AT}) FROM ${nameOf(String(name))}`);
        copies.set(String(name), { newest: Number(found.getRows()[0]?.[0] ?? 0), columns: Number(columns) });
      }
      return new StreamingBuffer(database, catalog, copies);
    });
  }

  /** Prepares a table for streamed rows. Not inside a transaction. */
  async prepare(ref: TableRef): Promise<void> {
    const entry = this.#catalog.entry(ref);
    if (!entry) return;
    const defined = this.#defining.then(async () => {
      const copies = this.#copies.get(streamedTable(ref));
      const columns = entry.info.fields.length + 1;
      const isNew = copies === undefined || copies.newest < entry.creationTime;
      if (!isNew && copies.columns === columns) return;
      await this.#database.use((connection) => (isNew ? define(connection, entry) : widen(connection, entry)));
      this.#copies.set(streamedTable(ref), { newest: isNew ? entry.creationTime : copies.newest, columns });
    });
    this.#defining = defined.catch(() => undefined);
    await defined;
  }

  /** Adds rows of DuckDB values, inside the transaction that adds them to their table. */
  async add(connection: DuckDBConnection, ref: TableRef, rows: readonly (readonly DuckDBValue[])[], at: number): Promise<void> {
    const appender = await RowAppender.open(connection, this.#database.threads, { ...ref, dataset: STREAMED, table: streamedTable(ref) });
    for (const values of rows) await appender.add([at, ...values]);
    await appender.close();
    const copies = this.#copies.get(streamedTable(ref));
    if (copies) this.#copies.set(streamedTable(ref), { ...copies, newest: Math.max(at, copies.newest) });
  }

  /** Throws `invalidQuery` if a statement would update or delete rows of the buffer. */
  async assertUntouched(
    connection: DuckDBConnection,
    { target, affected }: Extract<Statement, { kind: "dml" }>,
    values: ParameterValues,
    now: number,
  ): Promise<void> {
    const entry = this.#catalog.entry(target);
    const copies = this.#copies.get(streamedTable(target));
    const since = Math.max(now - BUFFERED_MS, entry?.creationTime ?? 0);
    if (affected === undefined || !entry || copies === undefined || copies.newest < since) return;
    // This may be undone with the statement's transaction, so it is not noted.
    if (copies.columns !== entry.info.fields.length + 1) await widen(connection, entry);
    const prepared = await values.prepare(
      connection,
      `SELECT 1 FROM (${affected}) AS found WHERE found.${STREAMED_AT} >= ${since} LIMIT 1`,
    );
    try {
      if ((await prepared.runAndReadAll()).currentRowCount === 0) return;
    } finally {
      prepared.destroySync();
    }
    const { project, dataset, table } = target;
    throw new BigQueryError(
      "invalidQuery",
      `UPDATE or DELETE statement over table ${project}.${dataset}.${table} would affect rows in the streaming buffer, which is not supported`,
    );
  }

  /** Removes the rows that have left the buffer by now. */
  tidy(now: number): Promise<void> {
    return this.#removeBefore(now - BUFFERED_MS);
  }

  /** Empties the buffer. */
  flush(): Promise<void> {
    return this.#removeBefore(Number.MAX_SAFE_INTEGER);
  }

  async #removeBefore(time: number): Promise<void> {
    for (const name of this.#copies.keys())
      await this.#database.use((connection) => connection.run(`DELETE FROM ${nameOf(name)} WHERE ${STREAMED_AT} < ${time}`));
  }
}

interface Copies {
  /** When a row was last streamed, or the table created. */
  readonly newest: number;
  readonly columns: number;
}

/** Makes a table for the copies of a table's rows, in place of the one of a former table of the name. */
async function define(connection: DuckDBConnection, { info: { ref, fields } }: TableEntry): Promise<void> {
  const columns = fields.map((field) => `${quoteName(field.name)} ${duckType(typeOfField(field))}`);
  await connection.run(`CREATE OR REPLACE TABLE ${nameOf(streamedTable(ref))} (${[`${STREAMED_AT} DOUBLE`, ...columns].join(", ")})`);
}

/** Adds the columns that the table got since. */
async function widen(connection: DuckDBConnection, { info: { ref, fields } }: TableEntry): Promise<void> {
  for (const field of fields)
    await connection.run(
      `ALTER TABLE ${nameOf(streamedTable(ref))} ADD COLUMN IF NOT EXISTS ${quoteName(field.name)} ${duckType(typeOfField(field))}`,
    );
}

function nameOf(table: string): string {
  return `${quoteName(STREAMED)}.${quoteName(table)}`;
}
