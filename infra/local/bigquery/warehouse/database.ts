import { mkdir, stat, statfs } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { damaged } from "../../persistence/faults.ts";
import { MACROS } from "../sql/macros.ts";
import { registerFunctions } from "../sql/native/functions.ts";
import { quoteText } from "../sql/sql-type.ts";
import { BackgroundThreads } from "./background-threads.ts";

/** What DuckDB says of a file that is none of its own, has lost its end, or has other bytes than it wrote. */
const DAMAGED = /not a valid DuckDB database file|Could not read enough bytes|Corrupt database file|Checksum/i;

export interface DatabaseOptions {
  /** A file, or `:memory:`. */
  readonly path: string;
  /** The directory that DuckDB spills to. */
  readonly tempDir: string;
  /** The only directories, besides the database file itself, that statements may read and write. */
  readonly folders: readonly string[];
  /** How many statements run concurrently. */
  readonly connections: number;
  /** DuckDB's `memory_limit`, for example `2GB`. Beyond it DuckDB spills to `tempDir`. */
  readonly memoryLimit: string;
}

/** The log is replayed at every start. Beyond this size that is slow. */
const LOG_BYTES_MIN = 16 * 1024 * 1024;
const ROOM_BYTES_MIN = 64 * 1024 * 1024;
const ROLLBACKS_MAX = 10;

/** One DuckDB instance and its pool of connections. */
export class Database {
  readonly #instance: DuckDBInstance;
  readonly #path: string;
  readonly #idle: DuckDBConnection[] = [];
  readonly #all: DuckDBConnection[] = [];
  readonly #waiting: ((connection: DuckDBConnection) => void)[] = [];
  /** Work that reads much asks for them, whatever connection it uses. */
  readonly threads: BackgroundThreads;

  private constructor(instance: DuckDBInstance, path: string, threads: BackgroundThreads) {
    this.#instance = instance;
    this.#path = path;
    this.threads = threads;
  }

  /** Opens the file with UTC and GoogleSQL's macros and functions, without extensions and without access to other files. */
  static async open(options: DatabaseOptions): Promise<Database> {
    const spill = join(options.tempDir, "duckdb");
    await mkdir(spill, { recursive: true });
    const instance = await DuckDBInstance.create(options.path, {
      // A checkpoint without disk space makes the whole database unusable; a commit without space is a single error. `checkpoint` checks
      // the space first.
      checkpoint_threshold: "1TB",
      // A new file's format: text is compressed in less time than in the default one. Every DuckDB since 1.3 reads it, and an older file
      // keeps its format.
      storage_compatibility_version: "v1.3.0",
      autoinstall_known_extensions: "false",
      autoload_known_extensions: "false",
      memory_limit: options.memoryLimit,
      temp_directory: spill,
    }).catch((error: unknown) => {
      // Others, such as a file that may not be written, say themselves what to do.
      const isDamaged = error instanceof Error && DAMAGED.test(error.message);
      throw isDamaged ? damaged(options.path, "it is no whole DuckDB database") : error;
    });
    const first = await instance.connect();
    await first.run("SET GLOBAL TimeZone = 'UTC'");
    await first.run("ATTACH ':memory:' AS statistics");
    await first.run(`SET allowed_directories = [${options.folders.map(quoteText).join(", ")}]`);
    await first.run("SET enable_external_access = false");
    registerFunctions(first);
    const threads = await BackgroundThreads.open(first);
    await first.run(MACROS);
    const database = new Database(instance, options.path, threads);
    for (let made = 0; made < options.connections; made++) {
      const connection = await database.connect();
      database.#all.push(connection);
      database.#idle.push(connection);
    }
    return database;
  }

  /** Opens a connection outside the pool. The caller closes it. */
  async connect(): Promise<DuckDBConnection> {
    const connection = await this.#instance.connect();
    await connection.run("SET enable_progress_bar = true");
    await connection.run("SET enable_progress_bar_print = false");
    return connection;
  }

  /** Runs work on a connection of the pool, in FIFO order. */
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
   * Moves committed data from the log into the database file, if that is worth the work and the disk has space for it. Only the length of
   * the log, and so the time of the next start, depends on it. `bytesMin`: a shorter log is left unchanged.
   */
  async checkpoint(bytesMin = LOG_BYTES_MIN): Promise<void> {
    if (this.#path === ":memory:") return;
    const log = await stat(`${this.#path}.wal`).catch(() => undefined);
    if (log === undefined || log.size < bytesMin) return;
    const { bavail, bsize } = await statfs(dirname(this.#path));
    if (bavail * bsize < ROOM_BYTES_MIN + 2 * log.size) return;
    // Running transactions make it fail. The next attempt is soon.
    await this.threads.use(() => this.use((connection) => connection.run("CHECKPOINT"))).catch(() => undefined);
  }

  async close(): Promise<void> {
    await this.threads.close();
    for (const connection of this.#all) connection.closeSync();
    this.#instance.closeSync();
  }
}

type Runs = Pick<DuckDBConnection, "run">;

/** Runs work inside a transaction: commits when it returns, rolls back when it throws. */
export async function inTransaction<Result>(connection: Runs, work: () => Promise<Result>): Promise<Result> {
  try {
    // An interrupt may end it after it has begun the transaction.
    await connection.run("BEGIN TRANSACTION");
    const result = await work();
    await connection.run("COMMIT");
    return result;
  } catch (error) {
    await rollBack(connection);
    throw error;
  }
}

/**
 * Rolls the open transaction back, if an error has not ended it already. An interrupt that was for the statement before may end the ROLLBACK: it is
 * tried again, since a connection with an aborted transaction refuses every later statement.
 */
export async function rollBack(connection: Runs): Promise<void> {
  for (let tried = 0; tried < ROLLBACKS_MAX; tried++) {
    try {
      await connection.run("ROLLBACK");
      return;
    } catch (error) {
      if (!(error instanceof Error && error.message.startsWith("INTERRUPT Error"))) return;
    }
  }
}
