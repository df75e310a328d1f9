import { type DuckDBConnection, DuckDBDataChunk, type DuckDBValue } from "@duckdb/node-api";
import type { TableRef } from "../model.ts";
import type { BackgroundThreads } from "../warehouse/background-threads.ts";

const CHUNK_ROWS = 2048;

/** Appends rows of DuckDB values to a table, within the connection's transaction if it has one. DuckDB's appender blocks this thread. */
export class RowAppender {
  readonly #appender: Awaited<ReturnType<DuckDBConnection["createAppender"]>>;
  readonly #threads: BackgroundThreads;
  #rows: (readonly DuckDBValue[])[] = [];

  private constructor(appender: Awaited<ReturnType<DuckDBConnection["createAppender"]>>, threads: BackgroundThreads) {
    this.#appender = appender;
    this.#threads = threads;
  }

  /** @param threads those of the connection's database */
  static async open(connection: DuckDBConnection, threads: BackgroundThreads, { dataset, table }: TableRef): Promise<RowAppender> {
    return new RowAppender(await connection.createAppender(table, dataset), threads);
  }

  async add(row: readonly DuckDBValue[]): Promise<void> {
    this.#rows.push(row);
    if (this.#rows.length === CHUNK_ROWS) await this.#threads.blocking(() => this.#write());
  }

  /** Flushes remaining rows and frees the appender. Must be called, even if the rows are discarded. */
  close(): Promise<void> {
    return this.#threads.blocking(() => {
      try {
        this.#write();
      } finally {
        this.#appender.closeSync();
      }
    });
  }

  #write(): void {
    if (this.#rows.length === 0) return;
    const types = Array.from({ length: this.#appender.columnCount }, (_, index) => this.#appender.columnType(index));
    const chunk = DuckDBDataChunk.create(types, this.#rows.length);
    chunk.setRows(this.#rows);
    this.#appender.appendDataChunk(chunk);
    this.#rows = [];
  }
}
