import { Cursor } from "./cursor.ts";
import { parseAlter, parseCreate, parseDrop, parseExport } from "./ddl.ts";
import { parseDelete, parseInsert, parseMerge, parseUpdate } from "./dml.ts";
import { otherStatement } from "./other-statements.ts";
import { parseQuery } from "./query.ts";
import type { StatementNode } from "./statement-ast.ts";

function transaction(cursor: Cursor): StatementNode | undefined {
  const { at } = cursor.peek();
  for (const verb of ["BEGIN", "COMMIT", "ROLLBACK"] as const) {
    const alone = cursor.isWord(verb) && (cursor.isSymbol(";", 1) || cursor.peek(1).kind === "end");
    if (!cursor.isWord(verb, "TRANSACTION") && !alone) continue;
    cursor.next();
    cursor.takeWord("TRANSACTION");
    return { kind: "transaction", verb, at };
  }
  return undefined;
}

function statement(cursor: Cursor): StatementNode {
  const { at } = cursor.peek();
  if (cursor.isWord("SELECT") || cursor.isWord("WITH") || cursor.isSymbol("(")) return { kind: "query", query: parseQuery(cursor), at };
  if (cursor.takeWord("INSERT")) return parseInsert(cursor, at);
  if (cursor.takeWord("UPDATE")) return parseUpdate(cursor, at);
  if (cursor.takeWord("DELETE")) return parseDelete(cursor, at);
  if (cursor.takeWord("MERGE")) return parseMerge(cursor, at);
  if (cursor.takeWord("CREATE")) return parseCreate(cursor, at);
  if (cursor.takeWord("ALTER")) return parseAlter(cursor, at);
  if (cursor.takeWord("DROP")) return parseDrop(cursor, at);
  if (cursor.isWord("EXPORT", "MODEL")) throw cursor.unsupported("EXPORT MODEL");
  if (cursor.takeWord("EXPORT")) return parseExport(cursor, at);
  const ends = transaction(cursor);
  if (ends) return ends;
  throw otherStatement(cursor) ?? cursor.unexpected();
}

/** Parses the statements of a script, in order. Throws a BigQueryError on anything outside the grammar, including an empty script. */
export function parseScript(sql: string): StatementNode[] {
  const cursor = new Cursor(sql);
  const statements: StatementNode[] = [];
  while (cursor.peek().kind !== "end") {
    if (cursor.takeSymbol(";")) continue;
    statements.push(statement(cursor));
    if (cursor.peek().kind !== "end" && !cursor.isSymbol(";")) throw cursor.unexpected("end of input");
  }
  if (statements.length === 0) throw cursor.unexpected();
  return statements;
}

/** Parses the query of a view's text. */
export function parseViewQuery(sql: string): ReturnType<typeof parseQuery> {
  const cursor = new Cursor(sql);
  const query = parseQuery(cursor);
  if (cursor.peek().kind !== "end") throw cursor.unexpected("end of input");
  return query;
}
