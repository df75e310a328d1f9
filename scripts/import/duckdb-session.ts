import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";

/** A DuckDB of this import's own, on the disk, so that a file larger than memory is checked too. */
export interface DuckDbSession {
  /** The path of a file that goes with the duckdb. */
  readonly path: (name: string) => string;
  readonly run: (sql: string) => Promise<void>;
  /** Rows as JSON has them; 64-bit numbers are text. */
  readonly rows: (sql: string) => Promise<Record<string, unknown>[]>;
  /** Removes everything. */
  readonly close: () => void;
}

/** Opens a duckdb in a temporary folder. */
export async function openDuckDb(): Promise<DuckDbSession> {
  const directory = mkdtempSync(join(tmpdir(), "populus-import-"));
  const remove = (): void => rmSync(directory, { recursive: true, force: true });
  process.once("exit", remove);
  const instance = await DuckDBInstance.create(join(directory, "import.duckdb"));
  const connection = await instance.connect();
  await connection.run("SET TimeZone = 'UTC'");
  return {
    path: (name) => join(directory, name),
    run: async (sql) => {
      await connection.run(sql);
    },
    rows: async (sql) => (await connection.runAndReadAll(sql)).getRowObjectsJson(),
    close: () => {
      connection.closeSync();
      instance.closeSync();
      process.off("exit", remove);
      remove();
    },
  };
}
