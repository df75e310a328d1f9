import type { Expression } from "../parse/ast.ts";
import { quoteName, type SqlType, typeText } from "../sql-type.ts";
import { coerce } from "./coerce.ts";
import type { Context } from "./context.ts";
import type { Ctes, Env } from "./env.ts";
import type { Scope } from "./scope.ts";
import type { Column, Read, Value } from "./value.ts";

/** A column that a query gives. */
export interface OutputColumn {
  /** Undefined: an expression without a name. */
  readonly name: string | undefined;
  /** Its name in the DuckDB text, unique in the query. */
  readonly emitted: string;
  readonly type: SqlType;
  readonly uses: readonly Column[];
  readonly origins: readonly Read[];
}

/** A query in DuckDB's words and the columns that it gives. */
export interface Relation {
  readonly sql: string;
  readonly columns: readonly OutputColumn[];
}

/** Where a query stands. */
export interface Place {
  readonly context: Context;
  readonly ctes: Ctes;
  /** The scope around a subquery of an expression. */
  readonly parent: Scope | undefined;
  /** Whether the rows are one value each: in ARRAY(…), IN (…) and scalar subqueries SELECT AS STRUCT gives a struct. */
  readonly element?: boolean;
  /** The columns' types where rows are inserted: literals coerce to them. */
  readonly into?: readonly Target[];
}

/** A column that takes a query's values. */
export interface Target {
  readonly name: string;
  readonly type: SqlType;
}

/** The names of a result: expressions without one are f0_, f1_, … as in BigQuery. */
export function resultNames(names: readonly (string | undefined)[]): string[] {
  let anonymous = 0;
  return names.map((name) => {
    if (name !== undefined) return name;
    anonymous += 1;
    return `f${anonymous - 1}_`;
  });
}

/** The same names, all different in any case: DuckDB refers to columns of a subquery by name alone. */
export function uniqueNames(names: readonly (string | undefined)[]): string[] {
  const taken = new Set<string>();
  return resultNames(names).map((name, index) => {
    let unique = name;
    while (taken.has(unique.toLowerCase())) unique = `${unique}:${index}`;
    taken.add(unique.toLowerCase());
    return unique;
  });
}

/** The columns of a relation as they are reached under a name in FROM. */
export function columnsUnder(alias: string, relation: Relation): readonly Column[] {
  return relation.columns.map(({ name, emitted, type, uses, origins }) => ({
    name: name ?? "",
    sql: `${alias}.${quoteName(emitted)}`,
    type,
    uses,
    origins,
  }));
}

/** A value as a target takes it. Throws when its type does not coerce. */
export function assignable(context: Context, value: Value, target: Target, index: number, at: number): string {
  const sql = coerce(value, target.type);
  if (sql === undefined)
    throw context.fail(
      at,
      `Query column ${index + 1} has type ${typeText(value.type)} which cannot be inserted into column ${target.name}, which has type ${typeText(target.type)}`,
    );
  return sql;
}

/** `LIMIT n OFFSET m`, each a literal or a parameter. */
export function limitSql(limit: Expression | undefined, offset: Expression | undefined, env: Env): string {
  const part = (node: Expression | undefined, what: string) => {
    if (!node) return "";
    const value = env.value(node);
    const isNumber = value.type === "INT64" && (value.parameter || value.literal);
    if (!isNumber) throw env.context.fail(node.at, `${what} expects an integer literal or parameter`);
    const { text } = value.literal ?? {};
    if (text?.startsWith("-")) throw env.context.fail(node.at, `${what} expects a non-negative integer literal or parameter`);
    return ` ${what} ${text ?? `bq_limit(${value.sql}, '${what}')`}`;
  };
  return part(limit, "LIMIT") + part(offset, "OFFSET");
}
