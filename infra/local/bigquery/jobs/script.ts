import type { DuckDBConnection } from "@duckdb/node-api";
import { BigQueryError, type Statement, type TableRef } from "../model.ts";
import type { ParameterValues } from "../sql/parameter-values.ts";
import { tableName } from "../warehouse/catalog.ts";
import { inTransaction, rollBack } from "../warehouse/database.ts";
import { Job, type QueryStatistics, queryStatistics } from "./job.ts";
import type { Outcome } from "./outcome.ts";
import { type Plan, readsOf, statementTypeOf, writesOf } from "./plan.ts";
import type { QueryEngine } from "./query-engine.ts";
import { execute } from "./statements.ts";

/** A query job that is ready to run. */
export interface RunnableQuery {
  readonly job: Job;
  readonly statistics: QueryStatistics;
  readonly plan: Plan;
  readonly values: ParameterValues;
  readonly maximumBytesBilled: number | undefined;
}

/** The statements that are planned first, and then run. */
const PLANNED: ReadonlySet<Statement["kind"]> = new Set(["select", "dml", "export"]);

/** Returns the names to lock while a statement runs: the tables that it changes, and the definitions if it changes those. */
export function locksOf(statement: Statement): string[] {
  const isDefinition = statement.kind.startsWith("create") || statement.kind === "drop" || statement.kind === "add-columns";
  return [...writesOf(statement).map(tableName), ...(isDefinition ? ["definitions"] : [])];
}

/** One run of a job's statements on one connection. */
export class Script {
  readonly #engine: QueryEngine;
  readonly #query: RunnableQuery;
  readonly #connection: DuckDBConnection;
  readonly #children: Job[] = [];
  readonly #touched = new Map<string, TableRef>();
  #transaction = false;
  #marked = 0;
  /** Whether something was committed, so that the script must not restart from its beginning. */
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
    // Skip statements of this job that an earlier process committed.
    for (const [index, statement] of plan.statements.entries()) {
      if (index < job.persisted.committed) continue;
      job.throwIfStopped();
      const outcome = statement.kind === "transaction" ? await this.#transact(statement.verb, index) : await this.#step(statement, index);
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
    // A script that ends inside its transaction did not commit it.
    await this.#rollBack();
    for (const child of this.#children) {
      this.#engine.jobs.add(child);
      job.children.push(child);
    }
    statistics.stages.complete(written);
  }

  /** Rolls back the open transaction and drops the statements' results. */
  async undo(): Promise<void> {
    await this.#rollBack();
    this.#query.job.result = undefined;
    for (const { result } of this.#children) if (result) await this.#engine.results.remove(result);
  }

  async #rollBack(): Promise<void> {
    if (!this.#transaction) return;
    this.#transaction = false;
    await rollBack(this.#connection);
    this.#reportChanges();
  }

  /** Others see only committed data, so a transaction's changes are reported at its end. */
  #reportChanges(): void {
    if (this.#transaction) return;
    for (const ref of this.#touched.values()) this.#engine.changed(ref);
    this.#touched.clear();
  }

  async #step(statement: Exclude<Statement, { kind: "transaction" }>, index: number): Promise<Outcome> {
    const writes = writesOf(statement);
    if (this.#transaction && locksOf(statement).includes("definitions"))
      throw new BigQueryError("invalidQuery", `${statementTypeOf(statement)} statements are not supported in transactions`);
    const outcome = await this.#within(statement, index);
    if (!this.#transaction && (writes.length > 0 || statement.kind === "create-schema" || statement.kind === "export"))
      this.committed = true;
    this.#query.job.persisted.committed = Math.max(this.#query.job.persisted.committed, this.#transaction ? 0 : this.#marked);
    for (const ref of writes) this.#touched.set(tableName(ref), ref);
    this.#reportChanges();
    return outcome;
  }

  #execute(statement: Exclude<Statement, { kind: "transaction" }>, index: number): Promise<Outcome> {
    const { job, values, plan } = this.#query;
    const mark = () => this.#mark(index, []);
    return execute({ ...this.#engine, connection: this.#connection, values, job, location: plan.location, mark }, statement);
  }

  /**
   * Plans and runs a statement in one transaction: a plan relies on what the rows were when it was made, and gives wrong answers for rows that were
   * committed since. A change is committed together with the record that the statement is done. Definitions have transactions of their own.
   */
  async #within(statement: Exclude<Statement, { kind: "transaction" }>, index: number): Promise<Outcome> {
    if (this.#transaction || !PLANNED.has(statement.kind)) return this.#execute(statement, index);
    return inTransaction(this.#connection, async () => {
      const outcome = await this.#execute(statement, index);
      if (statement.kind !== "dml") return outcome;
      if (this.#query.plan.statements.length === 1) record(this.#query.statistics, outcome);
      await this.#mark(index, [statement.target]);
      return outcome;
    });
  }

  /** Records, in the transaction that is about to end, that the statements up to this one are done. */
  async #mark(index: number, changed: readonly TableRef[]): Promise<void> {
    const { persistence, catalog, now } = this.#engine;
    if (!persistence) return;
    const { job } = this.#query;
    const before = job.persisted.committed;
    job.persisted.committed = index + 1;
    try {
      await persistence.keepWith(this.#connection, job, now());
      for (const ref of changed) await catalog.saveTouch(this.#connection, ref, now());
    } finally {
      // This is true only after the commit: a failed attempt restarts where it began.
      job.persisted.committed = before;
    }
    this.#marked = index + 1;
  }

  async #transact(verb: "BEGIN" | "COMMIT" | "ROLLBACK", index: number): Promise<Outcome> {
    if ((verb === "BEGIN") === this.#transaction)
      throw new BigQueryError(
        "invalidQuery",
        verb === "BEGIN" ? "Transactions cannot be nested" : `Cannot ${verb} TRANSACTION: there is no active transaction`,
      );
    if (verb === "COMMIT") await this.#mark(index, [...this.#touched.values()]);
    // An interrupt may end the statement after it has begun the transaction.
    if (verb === "BEGIN") this.#transaction = true;
    await this.#connection.run(verb === "BEGIN" ? "BEGIN TRANSACTION" : verb);
    this.#transaction = verb === "BEGIN";
    if (verb === "COMMIT") {
      this.committed = true;
      this.#query.job.persisted.committed = Math.max(this.#query.job.persisted.committed, this.#marked);
    }
    this.#reportChanges();
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
      reservation: parent.reservation,
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
