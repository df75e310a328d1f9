import type { Expression } from "./ast.ts";
import type { Cursor } from "./cursor.ts";
import { parseExpression } from "./expression.ts";
import { parseQuery } from "./query.ts";
import type { Assignment, Insertion, MergeAction, MergeBranch, StatementNode } from "./statement-ast.ts";
import { parseTablePath } from "./table-path.ts";

function insertion(cursor: Cursor): Insertion {
  const { at } = cursor.peek();
  const query = cursor.isSymbol("(") && (["SELECT", "WITH"].includes(cursor.peek(1).text.toUpperCase()) || cursor.isSymbol("(", 1));
  const columns = cursor.isSymbol("(") && !query ? cursor.parenthesised(() => cursor.list(() => cursor.expectName())) : undefined;
  return { columns, at };
}

function valueRow(cursor: Cursor): Expression[] {
  return cursor.parenthesised(() =>
    cursor.list(() => {
      if (cursor.isWord("DEFAULT")) throw cursor.unsupported("DEFAULT");
      return parseExpression(cursor);
    }),
  );
}

export function parseInsert(cursor: Cursor, at: number): StatementNode {
  cursor.takeWord("INTO");
  const table = parseTablePath(cursor);
  const into = insertion(cursor);
  if (cursor.takeWord("VALUES"))
    return { kind: "insert", table, into, from: { kind: "values", rows: cursor.list(() => valueRow(cursor)) }, at };
  return { kind: "insert", table, into, from: { kind: "query", query: parseQuery(cursor) }, at };
}

function assignment(cursor: Cursor): Assignment {
  const { at } = cursor.peek();
  let column = cursor.expectName();
  // `SET t.column = …` repeats the target's name.
  if (cursor.takeSymbol(".")) {
    column = cursor.expectField();
    if (cursor.isSymbol(".")) throw cursor.unsupported("SET of a nested field");
  }
  cursor.expectSymbol("=");
  if (cursor.isWord("DEFAULT")) throw cursor.unsupported("DEFAULT");
  return { column, value: parseExpression(cursor), at };
}

export function parseUpdate(cursor: Cursor, at: number): StatementNode {
  const table = parseTablePath(cursor);
  const alias = cursor.takeAlias();
  cursor.expectWord("SET");
  const set = cursor.list(() => assignment(cursor));
  if (cursor.isWord("FROM")) throw cursor.unsupported("UPDATE … FROM");
  if (!cursor.takeWord("WHERE")) throw cursor.failAt(cursor.peek(), "UPDATE must have a WHERE clause");
  return { kind: "update", table, alias, set, where: parseExpression(cursor), at };
}

export function parseDelete(cursor: Cursor, at: number): StatementNode {
  cursor.takeWord("FROM");
  const table = parseTablePath(cursor);
  const alias = cursor.takeAlias();
  if (!cursor.takeWord("WHERE")) throw cursor.failAt(cursor.peek(), "DELETE must have a WHERE clause");
  return { kind: "delete", table, alias, where: parseExpression(cursor), at };
}

function mergeAction(cursor: Cursor): MergeAction {
  if (cursor.takeWord("DELETE")) return { kind: "delete" };
  if (cursor.takeWord("UPDATE")) {
    cursor.expectWord("SET");
    return { kind: "update", set: cursor.list(() => assignment(cursor)) };
  }
  cursor.expectWord("INSERT");
  const into = insertion(cursor);
  if (cursor.takeWord("ROW")) return { kind: "insert", into, values: "ROW" };
  cursor.expectWord("VALUES");
  return { kind: "insert", into, values: valueRow(cursor) };
}

function mergeBranch(cursor: Cursor): MergeBranch {
  const { at } = cursor.peek();
  cursor.expectWord("WHEN");
  let when: MergeBranch["when"] = "MATCHED";
  if (cursor.takeWord("NOT")) {
    cursor.expectWord("MATCHED");
    when = cursor.takeWord("BY", "SOURCE") ? "NOT MATCHED BY SOURCE" : "NOT MATCHED BY TARGET";
    if (when === "NOT MATCHED BY TARGET") cursor.takeWord("BY", "TARGET");
  } else cursor.expectWord("MATCHED");
  const and = cursor.takeWord("AND") ? parseExpression(cursor) : undefined;
  cursor.expectWord("THEN");
  const action = mergeAction(cursor);
  if ((action.kind === "insert") !== (when === "NOT MATCHED BY TARGET"))
    throw cursor.failAt({ ...cursor.peek(), at }, `${action.kind.toUpperCase()} is not allowed in WHEN ${when}`);
  return { when, and, action, at };
}

export function parseMerge(cursor: Cursor, at: number): StatementNode {
  cursor.takeWord("INTO");
  const table = parseTablePath(cursor);
  const alias = cursor.takeAlias();
  cursor.expectWord("USING");
  const source = cursor.isSymbol("(")
    ? { kind: "query" as const, query: cursor.parenthesised(() => parseQuery(cursor)), alias: cursor.takeAlias() }
    : { kind: "table" as const, table: parseTablePath(cursor), alias: cursor.takeAlias() };
  cursor.expectWord("ON");
  const on = parseExpression(cursor);
  const branches: MergeBranch[] = [];
  do branches.push(mergeBranch(cursor));
  while (cursor.isWord("WHEN"));
  return { kind: "merge", table, alias, source, on, branches, at };
}
