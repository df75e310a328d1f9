import type { Call, Expression, FromItem, Query } from "../parse/ast.ts";
import type { Env } from "./env.ts";
import { isOrderable } from "./operators.ts";
import { plainEnv } from "./plain-env.ts";
import { Scope } from "./scope.ts";
import type { Column, Value } from "./value.ts";
import { children, hasAggregate, hasSubquery, hasWindow } from "./walk.ts";

const NAN = "CAST('nan' AS DOUBLE)";

interface Extreme {
  readonly name: "MIN" | "MAX";
  readonly of: Expression;
  readonly array: Extract<FromItem, { kind: "unnest" }>;
}

/**
 * Translates `(SELECT MIN(value) FROM UNNEST(array) AS element)`, or MAX, of a value that depends on the element alone, as functions of a list.
 * As a subquery, DuckDB would find the distinct rows around it and join them with all elements: ten times slower with five elements a row, and
 * more with long texts in the row. Returns undefined for every other subquery.
 */
export function extremeOfArray(query: Query, env: Env, at: number): Value | undefined {
  const extreme = extremeIn(query);
  if (!extreme) return undefined;
  const { context, ctes, scope } = env;
  const array = plainEnv(context, new Scope([], [], scope), ctes, "FROM clause").value(extreme.array.array);
  if (typeof array.type === "string" || array.type.kind !== "ARRAY") return undefined;
  const { element: type } = array.type;
  if (typeof type !== "string") return undefined;
  const name = context.alias();
  const element: Column = { name: extreme.array.alias ?? "", sql: name, type, uses: [], origins: [] };
  const variable = { name: extreme.array.alias, columns: [element], element };
  const value = plainEnv(context, new Scope([variable], [element], scope), ctes, "SELECT list").value(extreme.of);
  if (value.type === "NULL" || !isOrderable(value.type)) return undefined;
  const list = `list_transform(${array.sql}, lambda ${name}: ${value.sql})`;
  if (extreme.name === "MAX") return { sql: `list_max(${list})`, type: value.type, at };
  if (value.type !== "FLOAT64") return { sql: `list_min(${list})`, type: value.type, at };
  // The minimum of numbers that include NaN is NaN. The list is made once, as the parameter of a lambda.
  const all = context.alias();
  const least = `CASE WHEN list_contains(${all}, ${NAN}) THEN ${NAN} ELSE list_min(${all}) END`;
  return { sql: `list_extract(list_transform([${list}], lambda ${all}: ${least}), 1)`, type: "FLOAT64", at };
}

function extremeIn({ body, withs, orderBy, limit }: Query): Extreme | undefined {
  if (body.kind !== "select" || withs.length > 0 || orderBy.length > 0 || limit !== undefined) return undefined;
  const { from, where, items, groupBy, having, qualify, distinct, asStruct } = body;
  const isPlain = where === undefined && groupBy.length === 0 && having === undefined && qualify === undefined && !distinct && !asStruct;
  const [item] = items;
  if (!isPlain || from?.kind !== "unnest" || from.offset !== undefined || items.length > 1 || item?.kind !== "value") return undefined;
  return item.value.kind === "call" ? extremeOf(item.value, from) : undefined;
}

function extremeOf(call: Call, array: Extreme["array"]): Extreme | undefined {
  const { name, args, safe, distinct, nulls, orderBy, limit, having, over } = call;
  const [of] = args;
  if ((name !== "MIN" && name !== "MAX") || of === undefined || args.length > 1) return undefined;
  if (safe || distinct || nulls !== undefined || orderBy.length > 0 || limit || having || over) return undefined;
  return hasSubquery(of) || hasAggregate(of) || hasWindow(of) || !isOfElement(of, array.alias) ? undefined : { name, of, array };
}

/** Whether an expression names nothing but the element. DuckDB does not find columns of two queries in one lambda. */
function isOfElement(node: Expression, element: string | undefined): boolean {
  if (node.kind === "path") return node.names.length === 1 && node.names[0]?.toLowerCase() === element?.toLowerCase();
  return children(node).every((child) => isOfElement(child, element));
}
