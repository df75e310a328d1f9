import type { Cursor } from "./cursor.ts";
import { parseExpression } from "./expression.ts";
import { parseQuery } from "./query.ts";
import type { ColumnAddition, ColumnDefinition, ColumnType, CreateMode, OptionItem, StatementNode } from "./statement-ast.ts";
import { parseTablePath } from "./table-path.ts";
import { parseTypeName } from "./type-name.ts";

/** Parses an optional `OPTIONS (name = value, …)`. */
function parseOptions(cursor: Cursor): OptionItem[] {
  if (!cursor.takeWord("OPTIONS")) return [];
  return cursor.parenthesised(() => {
    if (cursor.isSymbol(")")) return [];
    return cursor.list(() => {
      const { at } = cursor.peek();
      const name = cursor.expectName().toLowerCase();
      cursor.expectSymbol("=");
      return { name, value: parseExpression(cursor), at };
    });
  });
}

function structFields(cursor: Cursor): ColumnDefinition[] {
  cursor.expectWord("STRUCT");
  cursor.expectSymbol("<");
  const fields = cursor.list(() => columnDefinition(cursor));
  cursor.expectSymbol(">");
  return fields;
}

function columnType(cursor: Cursor): ColumnType {
  if (cursor.isWord("STRUCT")) return { kind: "struct", repeated: false, fields: structFields(cursor) };
  if (cursor.isWord("ARRAY") && cursor.peek(2).text.toUpperCase() === "STRUCT") {
    cursor.next();
    cursor.expectSymbol("<");
    const fields = structFields(cursor);
    cursor.expectSymbol(">");
    return { kind: "struct", repeated: true, fields };
  }
  return { kind: "plain", type: parseTypeName(cursor) };
}

function columnDefinition(cursor: Cursor): ColumnDefinition {
  const { at } = cursor.peek();
  const name = cursor.expectName();
  if (["PRIMARY", "FOREIGN", "CONSTRAINT"].includes(name.toUpperCase()) && cursor.isName()) throw cursor.unsupported("A table constraint");
  const type = columnType(cursor);
  if (cursor.isWord("DEFAULT") || cursor.isWord("COLLATE") || cursor.isWord("PRIMARY"))
    throw cursor.unsupported(cursor.peek().text.toUpperCase());
  const required = cursor.takeWord("NOT", "NULL");
  return { name, type, required, options: parseOptions(cursor), at };
}

function createMode(cursor: Cursor, replace: boolean): CreateMode {
  const guarded = cursor.takeWord("IF", "NOT", "EXISTS");
  if (guarded && replace) throw cursor.failAt(cursor.peek(), "CREATE OR REPLACE cannot be used with IF NOT EXISTS");
  return replace ? "or-replace" : guarded ? "if-not-exists" : "plain";
}

function createTable(cursor: Cursor, replace: boolean, at: number): StatementNode {
  const mode = createMode(cursor, replace);
  const table = parseTablePath(cursor);
  for (const word of ["LIKE", "CLONE", "COPY"]) if (cursor.isWord(word)) throw cursor.unsupported(`CREATE TABLE ${word}`);
  const columns = cursor.isSymbol("(")
    ? cursor.parenthesised(() => {
        const definitions = [columnDefinition(cursor)];
        while (cursor.takeSymbol(",") && !cursor.isSymbol(")")) definitions.push(columnDefinition(cursor));
        return definitions;
      })
    : undefined;
  const partitionBy = cursor.takeWord("PARTITION", "BY") ? parseExpression(cursor) : undefined;
  const clusterBy = cursor.takeWord("CLUSTER", "BY") ? cursor.list(() => cursor.expectName()) : [];
  const options = parseOptions(cursor);
  const as = cursor.takeWord("AS") ? parseQuery(cursor) : undefined;
  return { kind: "create-table", mode, table, columns, partitionBy, clusterBy, options, as, at };
}

function createView(cursor: Cursor, replace: boolean, at: number): StatementNode {
  const mode = createMode(cursor, replace);
  const table = parseTablePath(cursor);
  if (cursor.isSymbol("(")) throw cursor.unsupported("A column list of a view");
  const options = parseOptions(cursor);
  cursor.expectWord("AS");
  const start = cursor.peek().at;
  const query = parseQuery(cursor);
  return { kind: "create-view", mode, table, options, query, text: cursor.sql.slice(start, cursor.end), at };
}

export function parseCreate(cursor: Cursor, at: number): StatementNode {
  const replace = cursor.takeWord("OR", "REPLACE");
  if (cursor.takeWord("TABLE")) return createTable(cursor, replace, at);
  if (cursor.takeWord("VIEW")) return createView(cursor, replace, at);
  if (!replace && cursor.takeWord("SCHEMA")) {
    const mode = createMode(cursor, false);
    const path = parseTablePath(cursor);
    return { kind: "create-schema", mode, path, options: parseOptions(cursor), at };
  }
  throw cursor.unsupported(`CREATE ${cursor.peek().text.toUpperCase()}`);
}

/** Parses ALTER TABLE with one or more ADD COLUMN. */
export function parseAlter(cursor: Cursor, at: number): StatementNode {
  if (!cursor.takeWord("TABLE")) throw cursor.unsupported(`ALTER ${cursor.peek().text.toUpperCase()}`);
  if (cursor.isWord("IF")) throw cursor.unsupported("ALTER TABLE IF EXISTS");
  const table = parseTablePath(cursor);
  const columns = cursor.list((): ColumnAddition => {
    if (!cursor.takeWord("ADD", "COLUMN")) throw cursor.unsupported(`ALTER TABLE ${cursor.peek().text.toUpperCase()}`);
    const ifNotExists = cursor.takeWord("IF", "NOT", "EXISTS");
    return { definition: columnDefinition(cursor), ifNotExists };
  });
  return { kind: "add-columns", table, columns, at };
}

export function parseDrop(cursor: Cursor, at: number): StatementNode {
  const what = cursor.takeWord("TABLE") ? "TABLE" : cursor.takeWord("VIEW") ? "VIEW" : undefined;
  if (!what) throw cursor.unsupported(`DROP ${cursor.peek().text.toUpperCase()}`);
  const ifExists = cursor.takeWord("IF", "EXISTS");
  return { kind: "drop", what, table: parseTablePath(cursor), ifExists, at };
}

export function parseExport(cursor: Cursor, at: number): StatementNode {
  cursor.expectWord("DATA");
  if (cursor.isWord("WITH")) throw cursor.unsupported("EXPORT DATA WITH CONNECTION");
  if (!cursor.isWord("OPTIONS")) throw cursor.unexpected("keyword OPTIONS");
  const options = parseOptions(cursor);
  cursor.expectWord("AS");
  return { kind: "export", options, query: parseQuery(cursor), at };
}
