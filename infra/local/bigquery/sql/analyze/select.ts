import type { Expression, OrderItem, Query, Select } from "../parse/ast.ts";
import { duckType, quoteName, typeText } from "../sql-type.ts";
import { structSql } from "./coerce.ts";
import type { Env } from "./env.ts";
import { type From, NOTHING, translateFrom } from "./from.ts";
import { condition, isOrderable } from "./operators.ts";
import { orderKey } from "./ordering.ts";
import { prune } from "./partition.ts";
import { plainEnv } from "./plain-env.ts";
import { assignable, limitSql, type OutputColumn, type Place, type Relation, uniqueNames } from "./relation.ts";
import { Scope } from "./scope.ts";
import { aliasesOf, type Item, selectItems } from "./select-list.ts";
import type { Column, Value } from "./value.ts";
import { hasAggregate, hasWindow } from "./walk.ts";

type Tail = Pick<Query, "orderBy" | "limit" | "offset">;

interface ItemValue {
  readonly item: Item;
  readonly value: Value;
  readonly uses: readonly Column[];
}

function isGrouped(node: Select, tail: Tail, items: readonly Item[]): boolean {
  const outside = [node.having, node.qualify, ...tail.orderBy.map((order) => order.by)].filter((part) => part !== undefined);
  const inList = items.map((item) => item.node).filter((part) => part !== undefined);
  return (
    node.groupingSets !== undefined ||
    node.groupBy === "ALL" ||
    node.groupBy.length > 0 ||
    node.having !== undefined ||
    [...inList, ...outside].some(hasAggregate)
  );
}

/** Resolves an alias or ordinal of the SELECT list. Undefined if the expression is neither. */
function listed(node: Expression, items: readonly Item[], env: Env, what: string): Item | undefined {
  if (node.kind === "literal" && node.type === "INT64") {
    const item = items[Number(node.text) - 1];
    if (!item) throw env.context.fail(node.at, `${what} is out of SELECT list range: ${node.text}`);
    return item;
  }
  const name = node.kind === "path" && node.names.length === 1 ? node.names[0]?.toLowerCase() : undefined;
  const found = name === undefined ? [] : items.filter((item) => item.name?.toLowerCase() === name);
  return found.length === 1 ? found[0] : undefined;
}

/** Returns the keys of GROUP BY. Aliases of the SELECT list take precedence over columns. */
function groupKeys(node: Select, items: readonly Item[], env: Env): string[] {
  if (node.groupBy === "ALL") {
    const own = items.filter((item) => !item.node || !(hasAggregate(item.node) || hasWindow(item.node) || isConstant(item.node)));
    return own.map((item) => groupable(item.value(env), env));
  }
  return node.groupBy.map((by) => {
    const item = listed(by, items, env, "GROUP BY");
    if (item?.node && (hasAggregate(item.node) || hasWindow(item.node)))
      throw env.context.fail(by.at, `Aggregate function or analytic function not allowed in GROUP BY clause`);
    const value = item ? item.value(env) : env.value(by);
    return groupable({ ...value, at: by.at }, env);
  });
}

function groupingSetsSql(sets: readonly (readonly number[])[], keys: readonly string[]): string {
  return `GROUPING SETS (${sets.map((set) => `(${[...new Set(set.map((place) => keys[place]))].join(", ")})`).join(", ")})`;
}

function isConstant(node: Expression): boolean {
  return node.kind === "literal" || node.kind === "parameter";
}

function groupable({ sql, type, at }: Value, env: Env): string {
  if (!isOrderable(type)) throw env.context.fail(at, `Grouping by expressions of type ${typeText(type)} is not allowed`);
  return sql;
}

function orderSql(tail: readonly OrderItem[], values: readonly ItemValue[], env: Env): string {
  const items = values.map((known) => known.item);
  const keys = tail.map((order) => {
    const item = order.by.kind === "literal" ? listed(order.by, items, env, "ORDER BY") : undefined;
    const value = item ? values[items.indexOf(item)]?.value : env.value(order.by);
    return value ? orderKey(env.context, value.sql, value.type, order) : "";
  });
  return keys.length > 0 ? ` ORDER BY ${keys.join(", ")}` : "";
}

/** Translates ORDER BY after DISTINCT, where only the result columns can be used. */
function distinctOrder(tail: Tail, values: readonly ItemValue[], names: readonly string[], sql: string, env: Env): string {
  const alias = env.context.alias();
  const items = values.map((known) => known.item);
  const keys = tail.orderBy.map((order) => {
    const item = order.by.kind === "literal" ? listed(order.by, items, env, "ORDER BY") : undefined;
    const wanted = item ? values[items.indexOf(item)]?.value : env.value(order.by);
    const index = values.findIndex(({ value }) => value.sql === wanted?.sql);
    const name = names[index];
    if (!wanted || name === undefined)
      throw env.context.fail(order.by.at, "ORDER BY clause expression is not visible after SELECT DISTINCT");
    return orderKey(env.context, `${alias}.${quoteName(name)}`, wanted.type, order);
  });
  const order = keys.length > 0 ? ` ORDER BY ${keys.join(", ")}` : "";
  return `SELECT ${alias}.* FROM (${sql}) AS ${alias}${order}${limitSql(tail.limit, tail.offset, env)}`;
}

function columnsOf(values: readonly ItemValue[], names: readonly string[], keepsOrigins: boolean): OutputColumn[] {
  return values.map(({ item, value, uses }, index) => {
    const passed = keepsOrigins && value.column && value.column.sql === value.sql ? value.column.origins : [];
    return { name: item.name, emitted: names[index] ?? "", type: value.type, uses, origins: passed };
  });
}

/** Returns a value as a result column. NULL alone is INT64, and an inserted value has the target's type. */
function emitted(value: Value, index: number, place: Place): string {
  const target = place.into?.[index];
  if (target) return assignable(place.context, value, target, index, value.at);
  return value.type === "NULL" ? `CAST(NULL AS ${duckType("INT64")})` : value.sql;
}

/** Returns the single column of SELECT AS STRUCT where each row is one value. */
function structColumn(values: readonly ItemValue[], place: Place): { readonly sql: string; readonly column: OutputColumn } {
  const fields = values.map(({ item, value }, index) => ({ name: item.name ?? `_field_${index + 1}`, sql: emitted(value, index, place) }));
  const types = values.map(({ item, value }) => ({ name: item.name, type: value.type === "NULL" ? ("INT64" as const) : value.type }));
  const uses = values.flatMap((value) => value.uses);
  return {
    sql: `${structSql(fields)} AS "value"`,
    column: { name: undefined, emitted: "value", type: { kind: "STRUCT", fields: types }, uses, origins: [] },
  };
}

function assertDistinct(values: readonly ItemValue[], place: Place): void {
  for (const { value, uses } of values) {
    if (!isOrderable(value.type))
      throw place.context.fail(value.at, `Column of type ${typeText(value.type)} cannot be used in SELECT DISTINCT`);
    for (const used of uses) place.context.touch(used);
  }
}

/** Returns a clause after others; nothing if there is nothing in it. */
function clause(word: string, sql: string | undefined): string {
  return sql ? ` ${word} ${sql}` : "";
}

/** Translates a SELECT with the ORDER BY and LIMIT of its query. */
export function translateSelect(node: Select, place: Place, tail: Tail): Relation {
  const { context, ctes, parent } = place;
  const from: From = node.from ? translateFrom(node.from, place, NOTHING) : NOTHING;
  const scope = new Scope(from.variables, from.star, parent);
  scope.windows = new Map(node.windows.map(({ name, window }) => [name.toLowerCase(), window]));
  const plain = plainEnv(context, scope, ctes, "WHERE clause");
  const where = node.where && condition(context, plain.with({ filters: true }).value(node.where), "WHERE clause");
  if (node.where) prune(node.where, plain);
  const items = selectItems(node, plain);
  const grouped = isGrouped(node, tail, items);
  const keys = groupKeys(node, items, plain.with({ clause: "GROUP BY clause" }));
  if (grouped) scope.grouping = { keys: new Set(keys) };

  const list = plain.with({ clause: "SELECT list", aggregates: true, windows: true });
  const values = items.map((item): ItemValue => {
    const { result, uses } = context.recording(() => item.value(list));
    return { item, value: result, uses };
  });
  scope.aliases = aliasesOf(
    items,
    values.map((known) => known.value),
  );
  const after = (clause: string, windows: boolean) => list.with({ clause, windows, aliases: true, aggregates: grouped });
  const having = node.having && condition(context, after("HAVING clause", false).value(node.having), "HAVING clause");
  const qualify = node.qualify && condition(context, after("QUALIFY clause", true).value(node.qualify), "QUALIFY clause");
  const orderEnv = after("ORDER BY clause", true);

  const asStruct = node.asStruct && place.element === true;
  if (node.distinct) assertDistinct(values, place);
  if (node.distinct && asStruct) throw context.fail(node.at, "SELECT DISTINCT AS STRUCT is not supported by the local BigQuery");
  const names = uniqueNames(values.map((value) => value.item.name));
  const windowed = qualify !== undefined || items.some((item) => item.node && hasWindow(item.node));
  const struct = asStruct ? structColumn(values, place) : undefined;
  const columns = struct ? [struct.column] : columnsOf(values, names, !windowed && !tail.limit);
  const texts = struct
    ? [struct.sql]
    : values.map(({ value }, index) => `${emitted(value, index, place)} AS ${quoteName(names[index] ?? "")}`);

  const sql = [
    `SELECT ${node.distinct ? "DISTINCT " : ""}${texts.join(", ")}`,
    clause("FROM", from.sql),
    clause("WHERE", where),
    clause("GROUP BY", node.groupingSets ? groupingSetsSql(node.groupingSets, keys) : [...new Set(keys)].join(", ")),
    clause("HAVING", having),
    clause("QUALIFY", qualify),
  ].join("");
  const last = tail.orderBy.length > 0 || tail.limit !== undefined;
  if (node.distinct && last) return { sql: distinctOrder(tail, values, names, sql, orderEnv), columns };
  return { sql: sql + orderSql(tail.orderBy, values, orderEnv) + limitSql(tail.limit, tail.offset, orderEnv), columns };
}
