import type { Query } from "../parse/ast.ts";
import { arrayOf, duckType, fieldName, quoteName, type SqlType } from "../sql-type.ts";
import { coerce } from "./coerce.ts";
import type { Env } from "./env.ts";
import { isOrderable, type Negatable } from "./operators.ts";
import { translateQuery } from "./query.ts";
import type { OutputColumn, Relation } from "./relation.ts";
import type { Value } from "./value.ts";

function single(query: Query, env: Env, what: string): { relation: Relation; column: OutputColumn } {
  const relation = translateQuery(query, { context: env.context, ctes: env.ctes, parent: env.scope, element: true });
  const [column] = relation.columns;
  if (!column || relation.columns.length > 1)
    throw env.context.fail(
      query.at,
      `${what} subquery cannot have more than one column unless using SELECT AS STRUCT to build STRUCT values`,
    );
  for (const used of column.uses) env.context.touch(used);
  return { relation, column };
}

/** Translates `(SELECT …)`: null without a row, an error with more than one. */
export function scalarQuery(query: Query, env: Env, at: number): Value {
  const { relation, column } = single(query, env, "Scalar");
  return { sql: `(${relation.sql})`, type: column.type, at };
}

/** Translates `ARRAY(SELECT …)`: empty without rows, in the order of ORDER BY. */
export function arrayQuery(query: Query, env: Env, at: number): Value {
  const { relation, column } = single(query, env, "ARRAY");
  if (typeof column.type !== "string" && column.type.kind === "ARRAY")
    throw env.context.fail(at, "Cannot use array subquery with column of type ARRAY");
  return { sql: `ARRAY(${relation.sql})`, type: arrayOf(column.type === "NULL" ? "INT64" : column.type), at };
}

export function existsQuery(query: Query, env: Env, at: number): Value {
  const relation = translateQuery(query, { context: env.context, ctes: env.ctes, parent: env.scope });
  return { sql: `(EXISTS (${relation.sql}))`, type: "BOOL", at };
}

/** Translates `x IN (SELECT …)`. Structs are compared field by field; where one is null, DuckDB would take another null for its equal. */
export function inQuery(of: Value, query: Query, env: Env, { not, at }: Negatable): Value {
  const { relation, column } = single(query, env, "IN");
  const item: Value = { sql: "v", type: column.type, at };
  const type = [column.type, of.type].find((candidate) => coerce(of, candidate) !== undefined && coerce(item, candidate) !== undefined);
  const fields = type === undefined ? undefined : comparedFields(type);
  if (type === undefined || (fields === undefined && !isOrderable(type)))
    throw env.context.fail(at, "Cannot execute IN subquery with columns of these types");
  const alias = env.context.alias();
  const asType = type === column.type ? `${alias}.v` : `CAST(${alias}.v AS ${duckType(type)})`;
  const whole = (sql: string): string => (fields === undefined ? sql : wholeStruct(sql, fields));
  const isPlain = type === column.type && fields === undefined;
  const rows = isPlain ? relation.sql : `SELECT ${whole(asType)} FROM (${relation.sql}) AS ${alias}(v)`;
  const value = whole(coerce(of, type) ?? of.sql);
  const plain = `${value} IN (${rows})${type === "FLOAT64" ? ` AND NOT isnan(${value})` : ""}`;
  return { sql: not ? `(NOT (${plain}))` : `(${plain})`, type: "BOOL", at };
}

/** Returns the names of a struct's fields, as DuckDB has them, if DuckDB compares all of them as GoogleSQL does; null fields aside. */
function comparedFields(type: SqlType): string[] | undefined {
  if (typeof type === "string" || type.kind !== "STRUCT") return undefined;
  const isCompared = type.fields.every((field) => isOrderable(field.type) && field.type !== "FLOAT64");
  return isCompared ? type.fields.map(fieldName) : undefined;
}

function wholeStruct(sql: string, fields: readonly string[]): string {
  const hasNull = fields.map((name) => `(${sql}).${quoteName(name)} IS NULL`).join(" OR ");
  return `CASE WHEN ${hasNull} THEN bq_error('IN of structs with null fields is not supported by the local BigQuery') ELSE ${sql} END`;
}
