import { mayQuery, type Role, reachesTable, readableDataset } from "../../access.ts";
import { isGranted } from "../../iam/roles.ts";
import { BigQueryError, type ParameterType, type Statement, type TableRead, type TableRef } from "../model.ts";
import { translateScript } from "../sql/translate.ts";
import type { MetadataCatalog } from "../warehouse/catalog.ts";
import { tableName } from "../warehouse/catalog.ts";
import type { HeldTables } from "../warehouse/held-tables.ts";
import { DEFAULT_LOCATION } from "../warehouse/locations.ts";
import type { JobStore } from "./job-store.ts";
import { LocatedCatalog, ReaderCatalog, type ResultTables } from "./located-catalog.ts";
import type { QueryEngine } from "./query-engine.ts";
import { type Answered, isResultDataset, resultDataset, resultOf } from "./result-table.ts";

const CACHED_MAX = 1000;

/** A query as received, before parsing. */
export interface QueryText {
  readonly sql: string;
  readonly parameterTypes: ReadonlyMap<string, ParameterType>;
  readonly defaultDataset: string | undefined;
  /** Where the query runs. Undefined: where its tables are. */
  readonly location: string | undefined;
  /** Who asks. A warehouse reader may only SELECT from its dataset's tables and views, and from the results of its own queries. */
  readonly role: Role;
  readonly email: string;
}

/** A parsed and authorised query. */
export interface Plan {
  readonly statements: readonly Statement[];
  readonly location: string;
  readonly statementType: string;
  readonly referencedTables: readonly TableRef[];
  /** The results of earlier queries that it reads. */
  readonly results: readonly Answered[];
}

/** Translates and authorises queries. Plans are cached until a definition changes, but for those that read results of earlier queries. */
export class Planner {
  readonly #catalog: MetadataCatalog;
  readonly #jobs: JobStore;
  readonly #now: () => number;
  readonly #plans = new Map<string, Plan>();
  #version = -1;

  constructor({ catalog, jobs, now }: Pick<QueryEngine, "catalog" | "jobs" | "now">) {
    this.#catalog = catalog;
    this.#jobs = jobs;
    this.#now = now;
  }

  /** Returns the plan of a query. Throws `invalidQuery`, `notFound` or `accessDenied`. */
  plan(text: QueryText): Plan {
    if (this.#version !== this.#catalog.version) {
      this.#plans.clear();
      this.#version = this.#catalog.version;
    }
    const key = JSON.stringify([text.sql, [...text.parameterTypes], text.defaultDataset, text.location, text.role]);
    const known = this.#plans.get(key);
    if (known) return known;
    const plan = this.#make(text);
    // Others have the same role, and a result is not kept for long.
    if (plan.results.length > 0) return plan;
    this.#plans.set(key, plan);
    for (const [oldest] of this.#plans) {
      if (this.#plans.size <= CACHED_MAX) break;
      this.#plans.delete(oldest);
    }
    return plan;
  }

  #make(text: QueryText): Plan {
    const { project } = this.#catalog;
    const context = { project, defaultDataset: text.defaultDataset };
    const types = new Map(text.parameterTypes);
    const onlyDataset = readableDataset(text.role);
    const { results, used } = this.#resultsOf(text.email);
    if (onlyDataset !== undefined) {
      const asWritten = translateScript(text.sql, types, { ...context, catalog: new ReaderCatalog(this.#catalog, onlyDataset, results) });
      for (const statement of asWritten) assertReaderMay(statement, project);
    }
    const catalog = new LocatedCatalog(this.#catalog, text.location, results, ({ dataset, table }) => mayQuery(text.role, dataset, table));
    const statements = translateScript(text.sql, types, { ...context, catalog });
    for (const statement of statements) assertMayWrite(statement, text.role);
    const reads = statements.flatMap(readsOf);
    for (const read of reads) assertPartitionFilter(read, catalog.table(read.ref)?.requirePartitionFilter ?? false);
    return {
      statements,
      location: catalog.location ?? DEFAULT_LOCATION,
      statementType: statements.length === 1 && statements[0] ? statementTypeOf(statements[0]) : "SCRIPT",
      referencedTables: distinctTables(reads.map((read) => read.ref)),
      results: [...used.values()],
    };
  }

  /** Returns the results of a caller's queries, and those of them that were looked for and found. */
  #resultsOf(email: string): { readonly results: ResultTables; readonly used: ReadonlyMap<string, Answered> } {
    const used = new Map<string, Answered>();
    const find = (ref: TableRef) => {
      const answered = resultOf(this.#jobs, email, ref, this.#now());
      if (answered) used.set(ref.table, answered);
      return answered;
    };
    return { results: { dataset: resultDataset(email), find }, used };
  }
}

/** Returns the base tables that a statement reads. */
export function readsOf(statement: Statement): readonly TableRead[] {
  if ("reads" in statement) return statement.reads;
  return statement.kind === "create-table" ? (statement.as?.reads ?? []) : [];
}

/** Returns the tables whose rows or definitions a statement changes. */
export function writesOf(statement: Statement): readonly TableRef[] {
  switch (statement.kind) {
    case "dml":
      return [statement.target];
    case "create-table":
    case "create-view":
      return [statement.table.ref];
    case "add-columns":
    case "drop":
      return [statement.ref];
    default:
      return [];
  }
}

/** Returns the held tables that a plan must wait for. */
export function heldBy(held: HeldTables, { statements }: Pick<Plan, "statements">): readonly string[] {
  return held.isEmpty ? [] : held.needed(statements.flatMap(readsOf), statements.flatMap(writesOf));
}

/** Returns BigQuery's name of a statement's kind. */
export function statementTypeOf(statement: Statement): string {
  switch (statement.kind) {
    case "select":
      return "SELECT";
    case "dml":
      return statement.verb;
    case "export":
      return "EXPORT_DATA";
    case "create-table":
      return statement.as ? "CREATE_TABLE_AS_SELECT" : "CREATE_TABLE";
    case "create-view":
      return "CREATE_VIEW";
    case "create-schema":
      return "CREATE_SCHEMA";
    case "add-columns":
      return "ALTER_TABLE";
    case "drop":
      return `DROP_${statement.what}`;
    case "transaction":
      return `${statement.verb}_TRANSACTION`;
  }
}

function assertReaderMay(statement: Statement, project: string): void {
  if (statement.kind === "select") return;
  const [target] = writesOf(statement);
  if (target === undefined)
    throw new BigQueryError(
      "accessDenied",
      `Access Denied: Project ${project}: User does not have permission to run ${statementTypeOf(statement)} statements in project ${project}.`,
    );
  throw writeDenied(statement, target);
}

function assertMayWrite(statement: Statement, role: Role): void {
  for (const ref of writesOf(statement))
    if (isResultDataset(ref.dataset) || !reachesTable(role, permissionToWrite(statement), ref.dataset, ref.table))
      throw writeDenied(statement, ref);
  // Files are written with the access of who runs the statement.
  if (statement.kind === "export" && role.kind === "function" && !isGranted(role.grants, CREATE_OBJECT, "export_bucket"))
    throw new BigQueryError(
      "accessDenied",
      `Access Denied: BigQuery BigQuery: Permission denied while writing data. Permission '${CREATE_OBJECT}' denied on resource (or it may not exist).`,
    );
}

const CREATE_OBJECT = "storage.objects.create";

function permissionToWrite({ kind }: Statement): string {
  return `bigquery.tables.${kind === "dml" ? "updateData" : kind === "add-columns" ? "update" : "create"}`;
}

function writeDenied(statement: Statement, target: TableRef): BigQueryError {
  const permission = permissionToWrite(statement);
  const name = tableName(target);
  return new BigQueryError(
    "accessDenied",
    `Access Denied: Table ${name}: Permission ${permission} denied on table ${name} (or it may not exist).`,
  );
}

function assertPartitionFilter(read: TableRead, required: boolean): void {
  if (!required || read.partitionFilter !== undefined) return;
  throw new BigQueryError(
    "invalidQuery",
    `Cannot query over table '${read.ref.project}.${read.ref.dataset}.${read.ref.table}' without a filter over its partition column that can be used for partition elimination`,
  );
}

function distinctTables(refs: readonly TableRef[]): TableRef[] {
  return [...new Map(refs.map((ref) => [tableName(ref), ref])).values()];
}
