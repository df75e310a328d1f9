import type { TableInfo } from "../../model.ts";
import type { Context } from "../analyze/context.ts";
import type { Env } from "../analyze/env.ts";
import { baseTable, type From, NOTHING, translateFrom } from "../analyze/from.ts";
import { condition } from "../analyze/operators.ts";
import { prune } from "../analyze/partition.ts";
import { plainEnv } from "../analyze/plain-env.ts";
import { assignable, type Place } from "../analyze/relation.ts";
import { Scope } from "../analyze/scope.ts";
import type { Expression } from "../parse/ast.ts";
import type { Assignment, MergeBranch, StatementNode } from "../parse/statement-ast.ts";
import { duckType, quoteName } from "../sql-type.ts";
import { assignments, changedTable, type Dml, dml, stored, streamedQuery, tableSql, targets, touchRow } from "./target.ts";

type MergeNode = Extract<StatementNode, { kind: "merge" }>;

interface Sides {
  readonly info: TableInfo;
  readonly target: ReturnType<typeof baseTable>;
  readonly source: From;
}

function sides(node: MergeNode, context: Context): Sides {
  const place: Place = { context, ctes: new Map(), parent: undefined };
  const info = changedTable(node.table, context);
  const target = baseTable(node.table.names, node.alias ?? node.table.names.at(-1), place);
  const item = node.source;
  const source = translateFrom(
    item.kind === "query"
      ? { kind: "query", query: item.query, alias: item.alias, at: node.at }
      : { kind: "table", path: item.table.names, alias: item.alias, offset: undefined, at: item.table.at },
    place,
    NOTHING,
  );
  return { info, target, source };
}

function insertSql(branch: MergeBranch, { info, source }: Sides, env: Env): string {
  const { action } = branch;
  if (action.kind !== "insert") return "";
  const columns = targets(info, action.into.columns, env.context, branch.at);
  const row =
    action.values === "ROW"
      ? source.star.map((column): Expression => ({ kind: "path", names: [column.name], at: branch.at }))
      : action.values;
  if (row.length !== columns.length)
    throw env.context.fail(branch.at, `Inserted row has wrong column count; Has ${row.length}, expected ${columns.length}`);
  const values = row.map((item, index) => {
    const target = columns[index] ?? { name: "", type: "NULL" as const };
    return stored(assignable(env.context, env.value(item), target, index, item.at), target);
  });
  const named = new Set(columns.map((column) => column.name));
  const empty = targets(info, undefined, env.context, 0).filter(
    ({ name, type }) => !named.has(name) && typeof type !== "string" && type.kind === "ARRAY",
  );
  const names = [...columns, ...empty].map(({ name }) => quoteName(name)).join(", ");
  return `INSERT (${names}) VALUES (${[...values, ...empty.map(({ type }) => `CAST([] AS ${duckType(type)})`)].join(", ")})`;
}

/**
 * Returns assignments of the other columns to themselves. Without them DuckDB 1.5 fills the columns of what it returns of such a row from
 * uninitialised memory: wrong values, or a crash at an array. Source: https://github.com/duckdb/duckdb/issues/24666
 */
function unchanged(set: readonly Assignment[], { info, target }: Sides): string[] {
  const assigned = new Set(set.map(({ column }) => column.toLowerCase()));
  const others = info.fields.filter(({ name }) => !assigned.has(name.toLowerCase()));
  return others.map(({ name }) => `${quoteName(name)} = ${target.alias}.${quoteName(name)}`);
}

function branchEnv(branch: MergeBranch, both: Env, ofTarget: Env, ofSource: Env): Env {
  if (branch.when === "MATCHED") return both;
  return branch.when === "NOT MATCHED BY TARGET" ? ofSource : ofTarget;
}

/** Replaces the target's partition filters if a branch changes unmatched rows: the ON condition then does not limit the partitions read. */
function prunesTarget(node: MergeNode, target: Env, sides: Sides): void {
  const bySource = node.branches.filter((branch) => branch.when === "NOT MATCHED BY SOURCE");
  if (bySource.length === 0) return;
  const { filters } = sides.target.read;
  filters.length = 0;
  const found = bySource.map((branch) => {
    const before = filters.length;
    if (branch.and) prune(branch.and, target);
    return filters.splice(before);
  });
  // Each branch reads its own partitions. If a branch has no condition on them, all are read.
  if (found.every((some) => some.length > 0)) filters.push(found.map((some) => `(${some.join(" AND ")})`).join(" OR "));
}

/** Translates MERGE. Two source rows for one target row fail as in BigQuery; DuckDB would use either of them. */
export function merge(node: MergeNode, context: Context): Dml {
  const found = sides(node, context);
  const { info, target, source } = found;
  const env = (...from: readonly From[]) =>
    plainEnv(
      context,
      new Scope(
        from.flatMap((side) => side.variables),
        from.flatMap((side) => side.star),
        undefined,
      ),
      new Map(),
      "MERGE",
    );
  const both = env(target, source);
  const ofTarget = env(target);
  const ofSource = env(source);
  const on = condition(context, both.value(node.on), "MERGE ON condition");
  prune(node.on, both, (read) => read === target.read);
  prunesTarget(node, ofTarget, found);
  touchRow(target.read);
  const matched: string[] = [];
  const unmatched: string[] = [];
  const branches = node.branches.map((branch) => {
    const inside = branchEnv(branch, both, ofTarget, ofSource);
    const and = branch.and && condition(context, inside.value(branch.and), "WHEN condition");
    if (branch.when === "MATCHED") matched.push(and ?? "TRUE");
    if (branch.when === "NOT MATCHED BY SOURCE") unmatched.push(and ?? "TRUE");
    const { action } = branch;
    const change =
      action.kind === "delete"
        ? "DELETE"
        : action.kind === "update"
          ? `UPDATE SET ${[assignments(action.set, info, inside), ...(branch.when === "NOT MATCHED BY SOURCE" ? unchanged(action.set, found) : [])].join(", ")}`
          : insertSql(branch, found, inside);
    return `WHEN ${branch.when}${and === undefined ? "" : ` AND ${and}`} THEN ${change}`;
  });
  const sql = `MERGE INTO ${target.sql} USING ${checkedSource(found, on, matched)} ON ${on} ${branches.join(" ")}`;
  return dml("MERGE", info, sql, context, { affected: streamedQueries(found, on, matched, unmatched), source: anySource(node, found) });
}

/**
 * Returns a query that finds a row of a source without which nothing is changed. DuckDB takes the rows that a transaction has added for none, and
 * would hold all of them in memory to join them with nothing.
 */
function anySource({ branches, source: { kind } }: MergeNode, { source }: Sides): string | undefined {
  const changesWithout = branches.some(({ when }) => when === "NOT MATCHED BY SOURCE");
  return changesWithout || kind !== "query" ? undefined : `SELECT 1 FROM ${source.sql} LIMIT 1`;
}

/** Returns a query of the streamed rows that a MERGE changes; undefined if it only inserts. */
function streamedQueries({ info, target, source }: Sides, on: string, matched: readonly string[], unmatched: readonly string[]) {
  const any = (tests: readonly string[]): string => tests.map((test) => `(${test})`).join(" OR ");
  const absent = `NOT EXISTS (SELECT 1 FROM ${source.sql} WHERE ${on})`;
  const queries = [
    ...(matched.length > 0 ? [streamedQuery(info, target.alias, `INNER JOIN ${source.sql} ON ${on} WHERE ${any(matched)}`)] : []),
    ...(unmatched.length > 0 ? [streamedQuery(info, target.alias, `WHERE ${absent} AND (${any(unmatched)})`)] : []),
  ];
  return queries.length > 0 ? queries.join(" UNION ALL ") : undefined;
}

function checkedSource({ info, target, source }: Sides, on: string, matched: readonly string[]): string {
  if (matched.length === 0) return source.sql;
  const [rows, alias] = splitAlias(source.sql);
  const pairs = `SELECT count(*) AS n FROM ${tableSql(info)} AS ${target.alias} INNER JOIN ${source.sql} ON ${on} WHERE ${matched.map((test) => `(${test})`).join(" OR ")} GROUP BY ${target.alias}.rowid`;
  return `(SELECT s.* FROM ${rows} AS s WHERE (SELECT bq_single_match(max(p.n)) FROM (${pairs}) AS p)) AS ${alias}`;
}

function splitAlias(sql: string): readonly [string, string] {
  const at = sql.lastIndexOf(" AS ");
  return [sql.slice(0, at), sql.slice(at + 4)];
}
