import type { DuckDBConnection } from "@duckdb/node-api";
import { isConflict } from "../errors.ts";
import type { ExportSink } from "../export/sink.ts";
import { BigQueryError, type TableRead, type TableRef } from "../model.ts";
import { type Bind, type ByteEstimates, billedBytes } from "../warehouse/bytes.ts";
import { type MetadataCatalog, tableName } from "../warehouse/catalog.ts";
import type { Database } from "../warehouse/database.ts";
import type { Definitions } from "../warehouse/definitions.ts";
import type { Locks } from "../warehouse/locks.ts";
import type { Job, QueryStatistics } from "./job.ts";
import type { JobRegister } from "./job-register.ts";
import type { JobStore } from "./job-store.ts";
import { type Plan, readsOf } from "./plan.ts";
import type { ResultStore } from "./results.ts";
import { locksOf, Script } from "./script.ts";

/** DuckDB knows no queue of writers as BigQuery does: a transaction that met another process's connection is tried this often. */
const ATTEMPTS_MAX = 5;

/** Everything that running queries needs. */
export interface QueryEngine {
  readonly database: Database;
  readonly catalog: MetadataCatalog;
  readonly definitions: Definitions;
  readonly estimates: ByteEstimates;
  readonly locks: Locks;
  readonly jobs: JobStore;
  /** Keeps jobs for another process; undefined where nothing is kept. */
  readonly register: JobRegister | undefined;
  readonly results: ResultStore;
  readonly sink: ExportSink;
  readonly tempDir: string;
  /** A folder for the files of load jobs. */
  readonly uploads: string;
  readonly now: () => number;
  /** Called with each table that a job changed. */
  readonly changed: (ref: TableRef) => void;
}

/** A query job that is ready to run. */
export interface RunnableQuery {
  readonly job: Job;
  readonly statistics: QueryStatistics;
  readonly plan: Plan;
  readonly bind: Bind;
  readonly maximumBytesBilled: number | undefined;
}

/**
 * Runs a planned query to its end, statement by statement. Writers of one table take turns; a transaction is one of DuckDB's, so an error undoes all of it.
 * Throws DuckDB's errors as they are; the caller ends the job.
 */
export async function runQuery(engine: QueryEngine, query: RunnableQuery): Promise<void> {
  const { job, plan } = query;
  const release = await engine.locks.acquire(plan.statements.flatMap(locksOf));
  try {
    await engine.database.use((connection) =>
      job.interruptible(
        () => connection.interrupt(),
        async () => {
          job.start(engine.now());
          await estimate(engine, query, connection);
          query.statistics.stages.follow(() => connection.progress.percentage);
          try {
            await attempt(engine, query, connection);
          } finally {
            query.statistics.stages.follow(undefined);
          }
        },
      ),
    );
  } finally {
    release();
  }
}

/** Fills in the bytes that the query reads. Throws `bytesBilledLimitExceeded` when that is more than the job allows. */
export async function estimate(
  engine: Pick<QueryEngine, "estimates">,
  query: Pick<RunnableQuery, "statistics" | "plan" | "bind" | "maximumBytesBilled">,
  connection: DuckDBConnection,
): Promise<void> {
  const { statistics, plan, bind, maximumBytesBilled } = query;
  const reads: TableRead[] = plan.statements.flatMap(readsOf);
  const byTable = new Map<string, number>();
  const rows: number[] = [];
  for (const read of reads) {
    const [found] = await engine.estimates.of(connection, [read], bind);
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
