import { BigQueryError, type Field, type SelectStatement } from "../../model.ts";
import { assertFieldNames } from "../../wire/field-names.ts";
import type { Context } from "../analyze/context.ts";
import { tableReads } from "../analyze/partition.ts";
import { translateQuery } from "../analyze/query.ts";
import { type Relation, resultNames } from "../analyze/relation.ts";
import type { Query } from "../parse/ast.ts";
import { fieldOfType } from "../sql-type.ts";

/** Marks every column of a relation as read. */
export function touchAll(context: Context, relation: Relation): void {
  for (const column of relation.columns) for (const used of column.uses) context.touch(used);
}

function assertNoDuplicates(names: readonly string[]): void {
  const lower = names.map((name) => name.toLowerCase());
  const duplicates = names.filter((_, index) => lower.indexOf(lower[index] ?? "") !== index);
  if (duplicates.length === 0) return;
  throw new BigQueryError(
    "invalidQuery",
    `Duplicate column names in the result are not supported. Found duplicate(s): ${duplicates.join(", ")}`,
    "query",
  );
}

/**
 * Throws for an INTERVAL among the columns that a statement stores or exports: BigQuery has tables with them, this server has not.
 */
export function assertNoInterval(fields: readonly Field[], what: string): void {
  for (const { name, type, fields: parts = [] } of fields) {
    if (type === "INTERVAL")
      throw new BigQueryError(
        "invalidQuery",
        `${what} with the column ${name} of type INTERVAL is not supported by the local BigQuery`,
        "query",
      );
    assertNoInterval(parts, what);
  }
}

/** Translates a query whose rows leave the warehouse, with the columns' BigQuery types. DuckDB stores a GEOGRAPHY as text. */
export function selectStatement(query: Query, context: Context): SelectStatement {
  const relation = translateQuery(query, { context, ctes: new Map(), parent: undefined });
  touchAll(context, relation);
  const names = resultNames(relation.columns.map((column) => column.name));
  assertNoDuplicates(names);
  const schema = relation.columns.map((column, index) => fieldOfType(names[index] ?? "", column.type));
  assertFieldNames(schema);
  return { kind: "select", sql: relation.sql, schema, reads: tableReads(context.reads), parameters: context.usedParameters };
}
