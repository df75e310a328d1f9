import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { registerGeography } from "../sql/geography.ts";
import { MACROS } from "../sql/macros.ts";
import { quoteText } from "../sql/sql-type.ts";

export interface DatabaseOptions {
  /** A file, or `:memory:`. */
  readonly path: string;
  /** The only folder, beside the database file itself, that statements may read and write. */
  readonly tempDir: string;
  /** How many statements run at a time. */
  readonly connections: number;
  /** DuckDB's `memory_limit`, for example `2GB`; beyond it DuckDB spills to `tempDir`. */
  readonly memoryLimit: string;
}

/** One DuckDB instance and its pool of connections. */
export class Database {
  readonly #instance: DuckDBInstance;
  readonly #idle: DuckDBConnection[] = [];
  readonly #all: DuckDBConnection[] = [];
  readonly #waiting: ((connection: DuckDBConnection) => void)[] = [];

  private constructor(instance: DuckDBInstance) {
    this.#instance = instance;
  }

  /** Opens the file with UTC, GoogleSQL's macros and functions, no extensions and no other files in reach. */
  static async open(options: DatabaseOptions): Promise<Database> {
    const spill = join(options.tempDir, "duckdb");
    await mkdir(spill, { recursive: true });
    const instance = await DuckDBInstance.create(options.path, {
      autoinstall_known_extensions: "false",
      autoload_known_extensions: "false",
      memory_limit: options.memoryLimit,
      temp_directory: spill,
    });
    const database = new Database(instance);
    const first = await instance.connect();
    await first.run("SET GLOBAL TimeZone = 'UTC'");
    await first.run("ATTACH ':memory:' AS statistics");
    await first.run(`SET allowed_directories = [${quoteText(options.tempDir)}]`);
    await first.run("SET enable_external_access = false");
    for (const macro of MACROS) await first.run(macro);
    registerGeography(first);
    first.closeSync();
    for (let made = 0; made < options.connections; made++) {
      const connection = await database.connect();
      database.#all.push(connection);
      database.#idle.push(connection);
    }
    return database;
  }

  /** A connection outside the pool; whoever asked closes it. */
  async connect(): Promise<DuckDBConnection> {
    const connection = await this.#instance.connect();
    await connection.run("SET enable_progress_bar = true");
    await connection.run("SET enable_progress_bar_print = false");
    return connection;
  }

  /** Runs work on a connection of the pool, first come first served. */
  async use<Result>(work: (connection: DuckDBConnection) => Promise<Result>): Promise<Result> {
    const connection = this.#idle.pop() ?? (await new Promise<DuckDBConnection>((resolve) => this.#waiting.push(resolve)));
    try {
      return await work(connection);
    } finally {
      const next = this.#waiting.shift();
      if (next) next(connection);
      else this.#idle.push(connection);
    }
  }

  close(): void {
    for (const connection of this.#all) connection.closeSync();
    this.#instance.closeSync();
  }
}

/** Runs work inside a transaction: committed when it ends, rolled back when it throws. */
export async function inTransaction<Result>(connection: DuckDBConnection, work: () => Promise<Result>): Promise<Result> {
  await connection.run("BEGIN TRANSACTION");
  try {
    const result = await work();
    await connection.run("COMMIT");
    return result;
  } catch (error) {
    // An error may have ended the transaction already; the first error is the one to tell.
    await connection.run("ROLLBACK").catch(() => undefined);
    throw error;
  }
}
