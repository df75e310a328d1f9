import { mkdir, stat, statfs } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { registerGeography } from "../sql/geography.ts";
import { MACROS } from "../sql/macros.ts";
import { quoteText } from "../sql/sql-type.ts";

export interface DatabaseOptions {
  /** A file, or `:memory:`. */
  readonly path: string;
  /** Where DuckDB puts what does not fit into memory. */
  readonly tempDir: string;
  /** The only folders, beside the database file itself, that statements may read and write. */
  readonly folders: readonly string[];
  /** How many statements run at a time. */
  readonly connections: number;
  /** DuckDB's `memory_limit`, for example `2GB`; beyond it DuckDB spills to `tempDir`. */
  readonly memoryLimit: string;
}

/** The log is replayed at every start: beyond this size that takes a while. */
const LOG_BYTES_MIN = 16 * 1024 * 1024;
const ROOM_BYTES_MIN = 64 * 1024 * 1024;

/** One DuckDB instance and its pool of connections. */
export class Database {
  readonly #instance: DuckDBInstance;
  readonly #path: string;
  readonly #idle: DuckDBConnection[] = [];
  readonly #all: DuckDBConnection[] = [];
  readonly #waiting: ((connection: DuckDBConnection) => void)[] = [];

  private constructor(instance: DuckDBInstance, path: string) {
    this.#instance = instance;
    this.#path = path;
  }

  /** Opens the file with UTC, GoogleSQL's macros and functions, no extensions and no other files in reach. */
  static async open(options: DatabaseOptions): Promise<Database> {
    const spill = join(options.tempDir, "duckdb");
    await mkdir(spill, { recursive: true });
    const instance = await DuckDBInstance.create(options.path, {
      // A checkpoint that finds no room ends the whole database; a commit that finds none is one error. `checkpoint` looks before.
      checkpoint_threshold: "1TB",
      autoinstall_known_extensions: "false",
      autoload_known_extensions: "false",
      memory_limit: options.memoryLimit,
      temp_directory: spill,
    });
    const database = new Database(instance, options.path);
    const first = await instance.connect();
    await first.run("SET GLOBAL TimeZone = 'UTC'");
    await first.run("ATTACH ':memory:' AS statistics");
    await first.run(`SET allowed_directories = [${options.folders.map(quoteText).join(", ")}]`);
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

  /**
   * Moves what was committed from the log into the database file, once that is worth the work and the disk has room for it. Nothing depends on it
   * but the length of the log, and so the time of the next start. `bytesMin`: a shorter log is left as it is.
   */
  async checkpoint(bytesMin = LOG_BYTES_MIN): Promise<void> {
    if (this.#path === ":memory:") return;
    const log = await stat(`${this.#path}.wal`).catch(() => undefined);
    if (log === undefined || log.size < bytesMin) return;
    const { bavail, bsize } = await statfs(dirname(this.#path));
    if (bavail * bsize < ROOM_BYTES_MIN + 2 * log.size) return;
    // Transactions that are under way make it fail: the next time is soon.
    await this.use((connection) => connection.run("CHECKPOINT")).catch(() => undefined);
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
