import type { DuckDBConnection } from "@duckdb/node-api";
import { isConflict } from "../errors.ts";
import type { ExportSink } from "../export/sink.ts";
import { BigQueryError, type Statement, type TableRead, type TableRef } from "../model.ts";
import { type Bind, type ByteEstimates, billedBytes } from "../warehouse/bytes.ts";
import { type MetadataCatalog, tableName } from "../warehouse/catalog.ts";
import type { Database } from "../warehouse/database.ts";
import type { Definitions } from "../warehouse/definitions.ts";
import type { Locks } from "../warehouse/locks.ts";
import { Job, type QueryStatistics, queryStatistics } from "./job.ts";
import type { JobStore } from "./job-store.ts";
import type { Outcome } from "./outcome.ts";
import { type Plan, readsOf, statementTypeOf, writesOf } from "./plan.ts";
import type { ResultStore } from "./results.ts";
import { execute } from "./statements.ts";

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
  readonly results: ResultStore;
  readonly sink: ExportSink;
  readonly tempDir: string;
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

function locksOf(statement: Statement): string[] {
  const isDefinition = statement.kind.startsWith("create") || statement.kind === "drop";
  return [...writesOf(statement).map(tableName), ...(isDefinition ? ["definitions"] : [])];
}

/** One run of a job's statements on one connection. */
class Script {
  readonly #engine: QueryEngine;
  readonly #query: RunnableQuery;
  readonly #connection: DuckDBConnection;
  readonly #children: Job[] = [];
  readonly #touched = new Map<string, TableRef>();
  #transaction = false;
  /** Whether something was made to last, so that the script may not be run again from its start. */
  committed = false;

  constructor(engine: QueryEngine, query: RunnableQuery, connection: DuckDBConnection) {
    this.#engine = engine;
    this.#query = query;
    this.#connection = connection;
  }

  async run(): Promise<void> {
    const { job, plan, statistics } = this.#query;
    const isScript = plan.statements.length > 1;
    let written = 0;
    for (const statement of plan.statements) {
      job.throwIfStopped();
      const outcome = statement.kind === "transaction" ? await this.#transact(statement.verb) : await this.#step(statement);
      if (isScript) this.#addChild(statement, outcome);
      if (outcome.rows) {
        job.result = outcome.rows;
        written = outcome.rows.totalRows;
      }
      if (!isScript) record(statistics, outcome);
      else if (outcome.schema) statistics.schema = outcome.schema;
      if (outcome.dml) written = outcome.dml.inserted + outcome.dml.updated + outcome.dml.deleted;
      if (outcome.exported) written = outcome.exported.rowCount;
    }
    // A script that ends inside its transaction never asked for it to be kept.
    await this.#rollBack();
    for (const child of this.#children) {
      this.#engine.jobs.add(child);
      job.children.push(child);
    }
    statistics.stages.complete(written);
  }

  /** Rolls back what is open and forgets what the statements gave. */
  async undo(): Promise<void> {
    await this.#rollBack();
    this.#query.job.result = undefined;
    for (const { result } of this.#children) if (result) await this.#engine.results.remove(result);
  }

  async #rollBack(): Promise<void> {
    if (!this.#transaction) return;
    this.#transaction = false;
    await this.#connection.run("ROLLBACK").catch(() => undefined);
    this.#tellChanges();
  }

  /** Only what is committed is seen by others, so a transaction's changes are told at its end. */
  #tellChanges(): void {
    if (this.#transaction) return;
    for (const ref of this.#touched.values()) this.#engine.changed(ref);
    this.#touched.clear();
  }

  async #step(statement: Exclude<Statement, { kind: "transaction" }>): Promise<Outcome> {
    const writes = writesOf(statement);
    if (this.#transaction && locksOf(statement).includes("definitions"))
      throw new BigQueryError("invalidQuery", `${statementTypeOf(statement)} statements are not supported in transactions`);
    const { job, bind, plan } = this.#query;
    const outcome = await execute({ ...this.#engine, connection: this.#connection, bind, job, location: plan.location }, statement);
    if (!this.#transaction && (writes.length > 0 || statement.kind === "create-schema" || statement.kind === "export"))
      this.committed = true;
    for (const ref of writes) this.#touched.set(tableName(ref), ref);
    this.#tellChanges();
    return outcome;
  }

  async #transact(verb: "BEGIN" | "COMMIT" | "ROLLBACK"): Promise<Outcome> {
    if ((verb === "BEGIN") === this.#transaction)
      throw new BigQueryError(
        "invalidQuery",
        verb === "BEGIN" ? "Transactions cannot be nested" : `Cannot ${verb} TRANSACTION: there is no active transaction`,
      );
    await this.#connection.run(verb === "BEGIN" ? "BEGIN TRANSACTION" : verb);
    this.#transaction = verb === "BEGIN";
    if (verb === "COMMIT") this.committed = true;
    this.#tellChanges();
    return {};
  }

  #addChild(statement: Statement, outcome: Outcome): void {
    const { job: parent } = this.#query;
    const statistics = queryStatistics(
      statementTypeOf(statement),
      readsOf(statement).map((read) => read.ref),
    );
    const at = this.#engine.now();
    const child = new Job({
      reference: { ...parent.reference, id: `script_job_${parent.reference.id}_${this.#children.length}` },
      owner: parent.owner,
      work: { kind: "QUERY", configuration: {}, statistics },
      labels: parent.labels,
      creationTime: at,
      parent,
    });
    record(statistics, outcome);
    if (outcome.rows) child.result = outcome.rows;
    child.start(at);
    child.finish(at);
    this.#children.push(child);
  }
}

function record(statistics: QueryStatistics, outcome: Outcome): void {
  if (outcome.schema) statistics.schema = outcome.schema;
  if (outcome.dml) statistics.dml = outcome.dml;
  if (outcome.ddl) statistics.ddl = outcome.ddl;
  if (outcome.exported) statistics.exported = outcome.exported;
}
