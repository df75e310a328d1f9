import { BigQueryError, type Statement, type TableInfo } from "../../model.ts";
import { coerce } from "../analyze/coerce.ts";
import type { Context } from "../analyze/context.ts";
import type { Env } from "../analyze/env.ts";
import { tableReads } from "../analyze/partition.ts";
import type { Target } from "../analyze/relation.ts";
import type { Read } from "../analyze/value.ts";
import type { Assignment, TablePath } from "../parse/statement-ast.ts";
import { duckType, quoteName, quoteText, typeOfField, typeText } from "../sql-type.ts";
import { STREAMED_AT, streamedRows } from "../streamed.ts";

export type Dml = Extract<Statement, { kind: "dml" }>;

/** Returns the table that a statement changes. Throws if it is a view. */
export function changedTable(table: TablePath, context: Context): TableInfo {
  const info = context.table(table.names);
  const { dataset, table: name } = info.ref;
  if (info.view !== undefined) throw new BigQueryError("invalidQuery", `Cannot modify view ${dataset}.${name}`, "query");
  return info;
}

export function tableSql({ ref }: TableInfo): string {
  return `${quoteName(ref.dataset)}.${quoteName(ref.table)}`;
}

/** Returns the named columns of a table, or all of them. Throws if a column does not exist or appears twice. */
export function targets(info: TableInfo, names: readonly string[] | undefined, context: Context, at: number): Target[] {
  if (!names) return info.fields.map((field) => ({ name: field.name, type: typeOfField(field) }));
  const seen = new Set<string>();
  return names.map((name) => {
    const field = info.fields.find((candidate) => candidate.name.toLowerCase() === name.toLowerCase());
    if (!field) throw context.fail(at, `Column ${name} is not present in table ${info.ref.dataset}.${info.ref.table}`);
    if (seen.has(field.name)) throw context.fail(at, `Column ${name} appears more than once`);
    seen.add(field.name);
    return { name: field.name, type: typeOfField(field) };
  });
}

/** Returns the SQL of a value as a column stores it. An array is never null in BigQuery's tables; one with a null in it is an error. */
export function stored(sql: string, { name, type }: Target): string {
  const isArray = typeof type !== "string" && type.kind === "ARRAY";
  return isArray ? `bq_no_nulls(coalesce(${sql}, CAST([] AS ${duckType(type)})), ${quoteText(name)})` : sql;
}

/** Translates `"column" = value, …` of UPDATE. */
export function assignments(set: readonly Assignment[], info: TableInfo, env: Env): string {
  const columns = targets(
    info,
    set.map((item) => item.column),
    env.context,
    set[0]?.at ?? 0,
  );
  return set
    .map((item, index) => {
      const target = columns[index];
      const value = env.value(item.value);
      const sql = target && coerce(value, target.type);
      if (!target || sql === undefined)
        throw env.context.fail(
          item.at,
          `Value of type ${typeText(value.type)} cannot be assigned to ${item.column}, which has type ${typeText(target?.type ?? "NULL")}`,
        );
      return `${quoteName(target.name)} = ${stored(sql, target)}`;
    })
    .join(", ");
}

/** Marks all columns as read: BigQuery bills a change of rows for all columns of the table. */
export function touchRow(read: Read): void {
  for (const field of read.info.fields) read.columns.add(field.name);
}

/** Returns the statement with its collected reads. Throws if a table that it reads lacks its partition filter. */
export function dml(
  verb: Dml["verb"],
  info: TableInfo,
  sql: string,
  context: Context,
  { affected, source }: { readonly affected?: string | undefined; readonly source?: string | undefined } = {},
): Dml {
  const reads = tableReads(context.reads);
  return {
    kind: "dml",
    verb,
    target: info.ref,
    sql,
    reads,
    parameters: context.usedParameters,
    ...(affected !== undefined && { affected }),
    ...(source !== undefined && { source }),
  };
}

/** Returns a query of the streamed rows of a table under an alias, with what follows FROM: those that a statement would change. */
export function streamedQuery({ ref }: TableInfo, alias: string, rest: string): string {
  return `SELECT ${alias}.${STREAMED_AT} FROM ${streamedRows(ref, alias)} ${rest}`;
}
