import { randomUUID } from "node:crypto";
import type { DuckDBConnection } from "@duckdb/node-api";
import { isConflict } from "../errors.ts";
import { BigQueryError, type Statement, type TableRead } from "../model.ts";
import { billedBytes } from "../warehouse/bytes.ts";
import { tableName } from "../warehouse/catalog.ts";
import { readsOf } from "./plan.ts";
import type { QueryEngine } from "./query-engine.ts";
import { locksOf, type RunnableQuery, Script } from "./script.ts";

/** DuckDB does not queue writers as BigQuery does. A transaction that conflicts with another connection runs at most this often. */
const ATTEMPTS_MAX = 5;

/**
 * Runs a planned query to its end, statement by statement. Writers of one table take turns, but of two transactions that change rows of one
 * table the later is aborted. A transaction maps to a DuckDB transaction, so an error undoes all of it. Throws DuckDB's errors unchanged; the
 * caller ends the job.
 */
export async function runQuery(engine: QueryEngine, query: RunnableQuery): Promise<void> {
  const giveBack = engine.locks.claim(changedInTransactions(query.plan.statements));
  if (typeof giveBack === "string")
    throw new BigQueryError(
      "invalidQuery",
      `Query error: Transaction is aborted due to concurrent update against table ${giveBack}. Transaction ID: ${randomUUID()}`,
    );
  try {
    await runInTurn(engine, query);
  } finally {
    giveBack();
  }
}

/** Returns the names of the tables whose rows the statements between BEGIN and COMMIT change. Adding rows excludes no other transaction. */
function changedInTransactions(statements: readonly Statement[]): string[] {
  let isInside = false;
  return statements.flatMap((statement) => {
    if (statement.kind === "transaction") isInside = statement.verb === "BEGIN";
    return isInside && statement.kind === "dml" && statement.verb !== "INSERT" ? [tableName(statement.target)] : [];
  });
}

async function runInTurn(engine: QueryEngine, query: RunnableQuery): Promise<void> {
  const { job, plan } = query;
  await engine.locks.holding(plan.statements.flatMap(locksOf), () =>
    engine.database.use((connection) =>
      job.interruptible(
        () => connection.interrupt(),
        async () => {
          job.start(engine.now());
          const rows = await estimate(engine, query, connection);
          query.statistics.stages.follow(() => connection.progress.percentage);
          try {
            await engine.database.threads.forRows(rows, () => attempt(engine, query, connection));
          } finally {
            query.statistics.stages.follow(undefined);
          }
        },
      ),
    ),
  );
}

/** Sets the bytes that the query reads, and returns the rows. Throws `bytesBilledLimitExceeded` if they exceed the job's limit. */
export async function estimate(
  engine: Pick<QueryEngine, "estimates">,
  query: Pick<RunnableQuery, "statistics" | "plan" | "values" | "maximumBytesBilled">,
  connection: DuckDBConnection,
): Promise<number> {
  const { statistics, plan, values, maximumBytesBilled } = query;
  const reads: TableRead[] = plan.statements.flatMap(readsOf);
  const byTable = new Map<string, number>();
  const rows: number[] = [];
  for (const read of reads) {
    const [found] = await engine.estimates.of(connection, [read], values);
    if (!found) continue;
    rows.push(found.rows);
    byTable.set(tableName(read.ref), (byTable.get(tableName(read.ref)) ?? 0) + found.bytes);
  }
  statistics.stages.add(rows);
  statistics.totalBytesProcessed = [...byTable.values()].reduce((sum, bytes) => sum + bytes, 0);
  const billed = billedBytes(byTable);
  if (maximumBytesBilled !== undefined && billed > maximumBytesBilled)
    throw new BigQueryError(
      "bytesBilledLimitExceeded",
      `Query exceeded limit for bytes billed: ${maximumBytesBilled}. ${billed} or higher required.`,
    );
  statistics.totalBytesBilled = billed;
  return rows.reduce((sum, read) => sum + read, 0);
}

async function attempt(engine: QueryEngine, query: RunnableQuery, connection: DuckDBConnection): Promise<void> {
  for (let tried = 1; ; tried++) {
    const script = new Script(engine, query, connection);
    try {
      await script.run();
      return;
    } catch (error) {
      await script.undo();
      if (!isConflict(error) || script.committed || tried === ATTEMPTS_MAX) throw error;
    }
  }
}
