import { type DuckDBConnection, DuckDBDataChunk, type DuckDBValue } from "@duckdb/node-api";
import type { TableRef } from "../model.ts";

const CHUNK_ROWS = 2048;

/** Appends rows of DuckDB values to a table, within the connection's transaction if it has one. */
export class RowAppender {
  readonly #appender: Awaited<ReturnType<DuckDBConnection["createAppender"]>>;
  #rows: (readonly DuckDBValue[])[] = [];

  private constructor(appender: Awaited<ReturnType<DuckDBConnection["createAppender"]>>) {
    this.#appender = appender;
  }

  static async open(connection: DuckDBConnection, { dataset, table }: TableRef): Promise<RowAppender> {
    return new RowAppender(await connection.createAppender(table, dataset));
  }

  add(row: readonly DuckDBValue[]): void {
    this.#rows.push(row);
    if (this.#rows.length === CHUNK_ROWS) this.#write();
  }

  /** Flushes remaining rows and frees the appender. Must be called, even if the rows are discarded. */
  close(): void {
    try {
      this.#write();
    } finally {
      this.#appender.closeSync();
    }
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
