import type { TableInfo } from "../../model.ts";
import type { Context } from "../analyze/context.ts";
import { baseTable } from "../analyze/from.ts";
import { condition } from "../analyze/operators.ts";
import { prune } from "../analyze/partition.ts";
import { plainEnv } from "../analyze/plain-env.ts";
import { translateQuery } from "../analyze/query.ts";
import { assignable, type Place, type Target } from "../analyze/relation.ts";
import { Scope } from "../analyze/scope.ts";
import type { StatementNode } from "../parse/statement-ast.ts";
import { duckType, quoteName } from "../sql-type.ts";
import { touchAll } from "./select.ts";
import { assignments, changedTable, type Dml, dml, stored, streamedQuery, tableSql, targets, touchRow } from "./target.ts";

type Node<Kind extends StatementNode["kind"]> = Extract<StatementNode, { kind: Kind }>;

/** Returns the array columns that an INSERT omits: they become empty. */
function omittedArrays(info: TableInfo, columns: readonly Target[], context: Context): Target[] {
  const named = new Set(columns.map((column) => column.name));
  return targets(info, undefined, context, 0).filter(
    ({ name, type }) => !named.has(name) && typeof type !== "string" && type.kind === "ARRAY",
  );
}

function countError(at: number, context: Context, given: number, wanted: number) {
  return context.fail(at, `Inserted row has wrong column count; Has ${given}, expected ${wanted}`);
}

function insertedRows(node: Node<"insert">, columns: readonly Target[], context: Context): string {
  const place: Place = { context, ctes: new Map(), parent: undefined, into: columns };
  if (node.from.kind === "values") {
    const env = plainEnv(context, new Scope([], [], undefined), place.ctes, "VALUES");
    const rows = node.from.rows.map((row) => {
      if (row.length !== columns.length) throw countError(node.at, context, row.length, columns.length);
      return `(${row.map((item, index) => assignable(context, env.value(item), columns[index] ?? { name: "", type: "NULL" }, index, item.at)).join(", ")})`;
    });
    return `VALUES ${rows.join(", ")}`;
  }
  const relation = translateQuery(node.from.query, place);
  if (relation.columns.length !== columns.length) throw countError(node.at, context, relation.columns.length, columns.length);
  touchAll(context, relation);
  return relation.sql;
}

export function insert(node: Node<"insert">, context: Context): Dml {
  const info = changedTable(node.table, context);
  const columns = targets(info, node.into.columns, context, node.into.at);
  const rows = insertedRows(node, columns, context);
  const empty = omittedArrays(info, columns, context);
  const arrays = empty.length > 0 || columns.some(({ type }) => typeof type !== "string" && type.kind === "ARRAY");
  const names = [...columns, ...empty].map(({ name }) => quoteName(name)).join(", ");
  if (!arrays) return dml("INSERT", info, `INSERT INTO ${tableSql(info)} (${names}) ${rows}`, context);
  const values = columns.map((column, index) => stored(`r.c${index}`, column));
  const nothing = empty.map(({ type }) => `CAST([] AS ${duckType(type)})`);
  const source = `(${rows}) AS r(${columns.map((_, index) => `c${index}`).join(", ")})`;
  return dml(
    "INSERT",
    info,
    `INSERT INTO ${tableSql(info)} (${names}) SELECT ${[...values, ...nothing].join(", ")} FROM ${source}`,
    context,
  );
}

/** Translates the target of UPDATE and DELETE under its alias, with the condition on its rows. */
function restricted(node: Node<"update"> | Node<"delete">, context: Context) {
  const info = changedTable(node.table, context);
  const place: Place = { context, ctes: new Map(), parent: undefined };
  const from = baseTable(node.table.names, node.alias ?? node.table.names.at(-1), place);
  const scope = new Scope(from.variables, from.star, undefined);
  const env = plainEnv(context, scope, place.ctes, "WHERE clause");
  const where = condition(context, env.with({ filters: true }).value(node.where), "WHERE clause");
  prune(node.where, env);
  touchRow(from.read);
  return { info, env, where, table: from.sql, affected: streamedQuery(info, from.alias, `WHERE ${where}`) };
}

export function update(node: Node<"update">, context: Context): Dml {
  const { info, env, where, table, affected } = restricted(node, context);
  const set = assignments(node.set, info, env.with({ clause: "UPDATE SET" }));
  return dml("UPDATE", info, `UPDATE ${table} SET ${set} WHERE ${where}`, context, { affected });
}

export function remove(node: Node<"delete">, context: Context): Dml {
  const { info, where, table, affected } = restricted(node, context);
  return dml("DELETE", info, `DELETE FROM ${table} WHERE ${where}`, context, { affected });
}
