import { join } from "node:path";
import { DuckDBInstance, DuckDBTimestampTZValue } from "@duckdb/node-api";
import { fileError } from "./full-disk.ts";
import { makePrivateFolder } from "./private-folder.ts";

/** What DuckDB keeps in memory, whatever the size of the file. It spills the rest to its folder. */
const MEMORY_LIMIT = "1GB";

/** A private DuckDB database on disk, so that files larger than memory can be checked. */
export interface DuckDbSession {
  /** Returns a path in the session's temporary folder. */
  readonly path: (name: string) => string;
  readonly run: (sql: string) => Promise<void>;
  /** Returns rows as JSON values; 64-bit integers are strings. */
  readonly rows: (sql: string) => Promise<Record<string, unknown>[]>;
  /** Ends the running query with an error. */
  readonly interrupt: () => void;
  /** Closes the database and removes its folder. */
  readonly close: () => void;
}

/** Opens a DuckDB database in a temporary folder. */
export async function openDuckDb(): Promise<DuckDbSession> {
  const { path: directory, remove } = await makePrivateFolder();
  const withRoom = async <Result>(work: Promise<Result>): Promise<Result> => {
    try {
      return await work;
    } catch (error) {
      throw fileError(error, directory);
    }
  };
  const instance = await withRoom(DuckDBInstance.create(join(directory, "import.duckdb"), { memory_limit: MEMORY_LIMIT }));
  const connection = await instance.connect();
  await connection.run("SET TimeZone = 'UTC'");
  // What DuckDB's API for Node writes as text is in the machine's time zone otherwise.
  DuckDBTimestampTZValue.timezoneOffsetInMinutes = 0;
  return {
    path: (name) => join(directory, name),
    run: async (sql) => {
      await withRoom(connection.run(sql));
    },
    rows: async (sql) => (await withRoom(connection.runAndReadAll(sql))).getRowObjectsJson(),
    interrupt: () => connection.interrupt(),
    close: () => {
      connection.closeSync();
      instance.closeSync();
      remove();
    },
  };
}
