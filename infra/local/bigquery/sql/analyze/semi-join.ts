import type { Expression, FromItem, Query, Select } from "../parse/ast.ts";
import type { Env } from "./env.ts";
import { NOTHING, translateFrom } from "./from.ts";
import { resolvePath } from "./name.ts";
import { condition, isOrderable, unify } from "./operators.ts";
import { prune } from "./partition.ts";
import { plainEnv } from "./plain-env.ts";
import { Scope } from "./scope.ts";
import type { Value } from "./value.ts";
import { children, conjuncts, hasSubquery } from "./walk.ts";

type SimpleSelect = Select & { readonly from: FromItem; readonly where: Expression };

/**
 * Translates `EXISTS (SELECT 1 FROM … WHERE inner = outer AND …)` where null counts as false: as `(outer, …) IN (SELECT inner, …)`. For EXISTS with
 * conditions on two columns of the row around it, DuckDB would hold all of those rows in memory, and would not skip any by the values.
 * Returns undefined for a subquery that is more than a SELECT of rows with a WHERE.
 */
export function semiJoin(query: Query, env: Env, at: number): Value | undefined {
  const select = simpleSelect(query);
  if (!select) return undefined;
  const { context, ctes, scope } = env;
  const from = translateFrom(select.from, { context, ctes, parent: scope }, NOTHING);
  const inner = plainEnv(context, new Scope(from.variables, from.star, scope), ctes, "WHERE clause");
  const found = conditionsOf(select, inner);
  const where = found ? found.own.join(" AND ") : condition(context, inner.with({ filters: true }).value(select.where), "WHERE clause");
  prune(select.where, inner);
  const rows = `FROM ${from.sql}${where === "" ? "" : ` WHERE ${where}`}`;
  if (!found) return { sql: `(EXISTS (SELECT 1 ${rows}))`, type: "BOOL", at };
  const [around, own] = [found.keys.map((key) => key.around), found.keys.map((key) => key.own)];
  return { sql: `((${around.join(", ")}) IN (SELECT ${own.join(", ")} ${rows}))`, type: "BOOL", at };
}

/** Returns the only SELECT of a query whose rows are those that its WHERE keeps: without aggregates, windows and limits. */
function simpleSelect({ body, withs, orderBy, limit }: Query): SimpleSelect | undefined {
  if (body.kind !== "select" || withs.length > 0 || orderBy.length > 0 || limit !== undefined) return undefined;
  const { from, where, items, groupBy, having, qualify } = body;
  const isConstant = items.every((item) => item.kind === "value" && item.value.kind === "literal");
  if (from === undefined || where === undefined || !isConstant) return undefined;
  return groupBy.length > 0 || having !== undefined || qualify !== undefined ? undefined : { ...body, from, where };
}

interface Key {
  /** The value of the row around the subquery. */
  readonly around: string;
  /** The value of the subquery's own row that it equals. */
  readonly own: string;
}

interface Conditions {
  readonly keys: readonly Key[];
  /** The conditions on the subquery's own rows alone. */
  readonly own: readonly string[];
}

/** Returns the conditions of WHERE if each compares a value of the own row to one of the row around it, or is about the own row alone. */
function conditionsOf({ where }: SimpleSelect, env: Env): Conditions | undefined {
  const nodes = conjuncts(where);
  if (nodes.some(hasSubquery)) return undefined;
  const keys: Key[] = [];
  const own: string[] = [];
  for (const node of nodes) {
    const key = keyOf(node, env);
    if (key) keys.push(key);
    else if (sidesOf(node, env).has("around")) return undefined;
    else own.push(condition(env.context, env.value(node), nodes.length > 1 ? "Operand of AND" : "WHERE clause"));
  }
  return keys.length > 0 ? { keys, own } : undefined;
}

function keyOf(node: Expression, env: Env): Key | undefined {
  if (node.kind !== "binary" || node.operator !== "=") return undefined;
  const [left, right] = [sidesOf(node.left, env), sidesOf(node.right, env)];
  if (left.size !== 1 || right.size !== 1 || left.has("own") === right.has("own")) return undefined;
  const { type, sql } = unify(env.context, "=", [env.value(node.left), env.value(node.right)], node.at);
  // NaN equals itself in DuckDB.
  if (!isOrderable(type) || type === "FLOAT64") return undefined;
  const [a = "", b = ""] = sql;
  return left.has("own") ? { own: a, around: b } : { own: b, around: a };
}

/** Returns whose columns an expression uses: those of the subquery's own row, of the rows around it, or both. */
function sidesOf(node: Expression, env: Env): ReadonlySet<"own" | "around"> {
  if (node.kind !== "path") return new Set(children(node).flatMap((child) => [...sidesOf(child, env)]));
  const column = resolvePath(node, env)?.column;
  // A date part looks like a name but is not one.
  if (column === undefined) return new Set();
  return new Set([env.scope.has(column) ? "own" : "around"]);
}
