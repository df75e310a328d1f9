import type { DuckDBConnection } from "@duckdb/node-api";

/** Runs statements in one transaction, temporary tables included: all of it or nothing. Rethrows what went wrong. */
export async function inOneTransaction(connection: DuckDBConnection, work: () => Promise<void>): Promise<void> {
  await connection.run("BEGIN TRANSACTION");
  try {
    await work();
  } catch (error) {
    // The failure may have ended the transaction already: the first error is the one to tell.
    await connection.run("ROLLBACK").catch(() => undefined);
    throw error;
  }
  await connection.run("COMMIT");
}

/** Runs statements one after the other. */
export async function runAll(connection: DuckDBConnection, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await connection.run(statement);
}
