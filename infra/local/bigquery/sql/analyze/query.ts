import type { Query, Select, SetOperation } from "../parse/ast.ts";
import { quoteName, typeText } from "../sql-type.ts";
import { coerce, commonType } from "./coerce.ts";
import type { Cte } from "./env.ts";
import { orderKeys } from "./ordering.ts";
import { plainEnv } from "./plain-env.ts";
import { columnsUnder, limitSql, type OutputColumn, type Place, type Relation } from "./relation.ts";
import { Scope } from "./scope.ts";
import { translateSelect } from "./select.ts";
import type { Value } from "./value.ts";

type Body = Query["body"];

function arm(body: Body, place: Place): Relation {
  if (body.kind === "query") return translateQuery(body, place);
  if (body.kind === "union") return union(body, place);
  return translateSelect(body, place, { orderBy: [], limit: undefined, offset: undefined });
}

/** Translates the arms of a set operation, with their columns cast to common types. */
function union(node: SetOperation, place: Place): Relation {
  const relations = node.inputs.map((input) => arm(input, place));
  const { context } = place;
  const operator = `${node.operator} ${node.all ? "ALL" : "DISTINCT"}`;
  const [first] = relations;
  const width = first?.columns.length ?? 0;
  const odd = relations.findIndex((relation) => relation.columns.length !== width);
  if (!first || odd >= 0)
    throw context.fail(
      node.at,
      `Queries in ${operator} have mismatched column count; query 1 has ${width} columns, query ${odd + 1} has ${relations[odd]?.columns.length} columns`,
    );
  const columns = first.columns.map((column, index): OutputColumn => {
    const same = relations.map((relation) => relation.columns[index] ?? column);
    const values = same.map(({ type }): Value => ({ sql: "v", type, at: node.at }));
    const type = same.every((other) => other.type === "NULL") ? "NULL" : commonType(values);
    if (type === undefined) {
      const types = same.map((other) => typeText(other.type)).join(", ");
      throw context.fail(node.at, `Column ${index + 1} in ${operator} has incompatible types: ${types}`);
    }
    return { ...column, type, uses: same.flatMap((other) => other.uses), origins: same.flatMap((other) => other.origins) };
  });
  if (!node.all) for (const column of columns) for (const used of column.uses) context.touch(used);
  const texts = relations.map((relation) => castColumns(relation, columns, place));
  return { sql: texts.map((text) => `(${text})`).join(` ${node.operator}${node.all ? " ALL" : ""} `), columns };
}

function castColumns(relation: Relation, wanted: readonly OutputColumn[], { context }: Place): string {
  const alias = context.alias();
  let changed = false;
  const items = relation.columns.map((column, index) => {
    const target = wanted[index] ?? column;
    const value: Value = { sql: `${alias}.${quoteName(column.emitted)}`, type: column.type, at: 0 };
    const sql = target.type === "NULL" ? value.sql : (coerce(value, target.type) ?? value.sql);
    changed ||= sql !== value.sql;
    return `${sql} AS ${quoteName(target.emitted)}`;
  });
  return changed ? `SELECT ${items.join(", ")} FROM (${relation.sql}) AS ${alias}` : relation.sql;
}

/** Translates ORDER BY and LIMIT over a body that is not a plain SELECT. Only its columns can be named. */
function ordered(query: Query, relation: Relation, place: Place): Relation {
  if (query.orderBy.length === 0 && !query.limit) return relation;
  const alias = place.context.alias();
  const columns = columnsUnder(alias, relation);
  const scope = new Scope([], columns, place.parent);
  const env = plainEnv(place.context, scope, place.ctes, "ORDER BY clause");
  const byOrdinal = query.orderBy.map((item) => {
    const column = item.by.kind === "literal" && item.by.type === "INT64" ? columns[Number(item.by.text) - 1] : undefined;
    return column ? { ...item, by: { kind: "path" as const, names: [column.name], at: item.by.at } } : item;
  });
  const order = byOrdinal.length > 0 ? ` ORDER BY ${orderKeys(byOrdinal, env)}` : "";
  return {
    sql: `SELECT ${alias}.* FROM (${relation.sql}) AS ${alias}${order}${limitSql(query.limit, query.offset, env)}`,
    columns: relation.columns.map((column) => (query.limit ? { ...column, origins: [] } : column)),
  };
}

/** Returns the subqueries of WITH. Each sees the ones before it. */
function withCtes(query: Query, place: Place): { readonly ctes: Map<string, Cte>; readonly own: readonly Cte[] } {
  const ctes = new Map(place.ctes);
  const own: Cte[] = [];
  for (const { name, query: definition, at } of query.withs) {
    const key = name.toLowerCase();
    if (own.some((other) => ctes.get(key) === other)) throw place.context.fail(at, `Duplicate alias ${name} for WITH subquery`);
    const cte: Cte = { query: definition, alias: place.context.alias(), env: new Map(ctes), sql: undefined };
    ctes.set(key, cte);
    own.push(cte);
  }
  return { ctes, own };
}

function isSelect(body: Body): body is Select {
  return body.kind === "select";
}

/** Translates a query to DuckDB SQL. Its reads are recorded in the context. */
export function translateQuery(query: Query, place: Place): Relation {
  const { ctes, own } = withCtes(query, place);
  const inside: Place = { ...place, ctes };
  const { body } = query;
  const relation = isSelect(body) ? translateSelect(body, inside, query) : ordered(query, arm(body, inside), inside);
  // An unused one is checked too, but not read.
  for (const cte of own)
    if (cte.sql === undefined)
      place.context.forgettingReads(() => translateQuery(cte.query, { context: place.context, ctes: cte.env, parent: undefined }));
  const used = own.filter((cte) => cte.sql !== undefined).map((cte) => `${cte.alias} AS (${cte.sql})`);
  return used.length === 0 ? relation : { ...relation, sql: `WITH ${used.join(", ")} ${relation.sql}` };
}
