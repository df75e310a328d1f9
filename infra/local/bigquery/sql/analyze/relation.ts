import type { Expression } from "../parse/ast.ts";
import { quoteName, type SqlType, typeText } from "../sql-type.ts";
import { coerce } from "./coerce.ts";
import type { Context } from "./context.ts";
import type { Ctes, Env } from "./env.ts";
import type { Scope } from "./scope.ts";
import type { Column, Read, Value } from "./value.ts";

/** A column of a query's result. */
export interface OutputColumn {
  /** Undefined for an expression without a name. */
  readonly name: string | undefined;
  /** Its name in the DuckDB SQL, unique in the query. */
  readonly emitted: string;
  readonly type: SqlType;
  readonly uses: readonly Column[];
  readonly origins: readonly Read[];
}

/** A translated query: its DuckDB SQL and its columns. */
export interface Relation {
  readonly sql: string;
  readonly columns: readonly OutputColumn[];
}

/** The position of a query in a statement. */
export interface Place {
  readonly context: Context;
  readonly ctes: Ctes;
  /** The scope around a subquery of an expression. */
  readonly parent: Scope | undefined;
  /** Whether each row is a single value: in ARRAY(…), IN (…) and scalar subqueries, SELECT AS STRUCT returns a struct. */
  readonly element?: boolean;
  /** The column types if rows are inserted. Literals coerce to them. */
  readonly into?: readonly Target[];
}

/** A column that receives a query's values. */
export interface Target {
  readonly name: string;
  readonly type: SqlType;
}

/** Returns the column names of a result. Expressions without a name are f0_, f1_, … as in BigQuery. */
export function resultNames(names: readonly (string | undefined)[]): string[] {
  let anonymous = 0;
  return names.map((name) => {
    if (name !== undefined) return name;
    anonymous += 1;
    return `f${anonymous - 1}_`;
  });
}

/** Returns the names made unique ignoring case. DuckDB refers to columns of a subquery by name alone. */
export function uniqueNames(names: readonly (string | undefined)[]): string[] {
  const taken = new Set<string>();
  return resultNames(names).map((name, index) => {
    let unique = name;
    while (taken.has(unique.toLowerCase())) unique = `${unique}:${index}`;
    taken.add(unique.toLowerCase());
    return unique;
  });
}

/** Returns the columns of a relation as seen under an alias in FROM. */
export function columnsUnder(alias: string, relation: Relation): readonly Column[] {
  return relation.columns.map(({ name, emitted, type, uses, origins }) => ({
    name: name ?? "",
    sql: `${alias}.${quoteName(emitted)}`,
    type,
    uses,
    origins,
  }));
}

/** Converts a value to a target's type. Throws if it does not coerce. */
export function assignable(context: Context, value: Value, target: Target, index: number, at: number): string {
  const sql = coerce(value, target.type);
  if (sql === undefined)
    throw context.fail(
      at,
      `Query column ${index + 1} has type ${typeText(value.type)} which cannot be inserted into column ${target.name}, which has type ${typeText(target.type)}`,
    );
  return sql;
}

/** Translates `LIMIT n OFFSET m`, each a literal or a parameter. */
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
