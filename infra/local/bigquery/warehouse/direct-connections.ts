import type { DuckDBConnection } from "@duckdb/node-api";
import type { Database } from "./database.ts";

/**
 * The connections that the process itself has outside the pool, for example for the sample data. They change tables without a job that says
 * which, so what is known of a table holds only while there is none.
 */
export class DirectConnections {
  readonly #database: Database;
  #open = 0;
  #closed = 0;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * A number that stays the same as long as none of them can have changed a table. Undefined while one is open: at any moment it may change
   * any table.
   */
  get unchangedSince(): number | undefined {
    return this.#open === 0 ? this.#closed : undefined;
  }

  /** Runs work on a connection of its own, which ends with the work. */
  use<Result>(work: (connection: DuckDBConnection) => Promise<Result>): Promise<Result> {
    return this.#database.threads.use(async () => {
      const connection = await this.#connect();
      try {
        return await work(connection);
      } finally {
        connection.closeSync();
        this.#open--;
        this.#closed++;
      }
    });
  }

  /** Opens a connection that counts as open for ever, because nobody says when it is closed. */
  async open(): Promise<DuckDBConnection> {
    await this.#database.threads.keep();
    return this.#connect();
  }

  #connect(): Promise<DuckDBConnection> {
    this.#open++;
    return this.#database.connect();
  }
}
