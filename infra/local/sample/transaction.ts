import type { DuckDBConnection } from "@duckdb/node-api";

/** Runs statements in one transaction, including those on temporary tables: all take effect or none. Rethrows the error. */
export async function inOneTransaction(connection: DuckDBConnection, work: () => Promise<void>): Promise<void> {
  await connection.run("BEGIN TRANSACTION");
  try {
    await work();
  } catch (error) {
    // The failure may already have ended the transaction. The first error is the one to report.
    await connection.run("ROLLBACK").catch(() => undefined);
    throw error;
  }
  await connection.run("COMMIT");
}

/** Runs statements one after another. */
export async function runAll(connection: DuckDBConnection, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await connection.run(statement);
}
