import type { Query, Select, SelectItem, SetOperation } from "./ast.ts";
import { parseOrderBy, parseWindow } from "./call.ts";
import type { Cursor } from "./cursor.ts";
import { parseExpression } from "./expression.ts";
import { parseFrom } from "./from.ts";
import { parseGroupBy } from "./group-by.ts";

function starModifiers(cursor: Cursor): Pick<Extract<SelectItem, { kind: "star" }>, "except" | "replace"> {
  const except = cursor.isWord("EXCEPT") && cursor.isSymbol("(", 1) ? columnList(cursor) : [];
  const replace =
    cursor.takeWord("REPLACE") && cursor.isSymbol("(")
      ? cursor.parenthesised(() =>
          cursor.list(() => {
            const value = parseExpression(cursor);
            cursor.expectWord("AS");
            return { value, name: cursor.expectName() };
          }),
        )
      : [];
  return { except, replace };
}

function columnList(cursor: Cursor): string[] {
  cursor.next();
  return cursor.parenthesised(() => cursor.list(() => cursor.expectName()));
}

/** Takes `t.*` or `t.s.*`: a path that ends with a star. */
function takeStarPath(cursor: Cursor): readonly string[] | undefined {
  let ahead = 0;
  while (cursor.isName(ahead) && cursor.isSymbol(".", ahead + 1)) ahead += 2;
  if (ahead === 0 || !cursor.isSymbol("*", ahead)) return undefined;
  const names: string[] = [];
  for (let taken = 0; taken < ahead; taken += 2) {
    names.push(cursor.expectName());
    cursor.next();
  }
  return names;
}

function selectItem(cursor: Cursor): SelectItem {
  const { at } = cursor.peek();
  const names = takeStarPath(cursor);
  const of = names && { kind: "path" as const, names, at };
  if (cursor.takeSymbol("*")) return { kind: "star", of, ...starModifiers(cursor), at };
  const value = parseExpression(cursor);
  if (cursor.isSymbol(".") && cursor.isSymbol("*", 1)) throw cursor.unsupported("A star after an expression");
  return { kind: "value", value, alias: cursor.takeAlias() };
}

function select(cursor: Cursor): Select {
  const { at } = cursor.peek();
  cursor.expectWord("SELECT");
  const distinct = cursor.takeWord("DISTINCT");
  if (!distinct) cursor.takeWord("ALL");
  const asStruct = cursor.takeWord("AS", "STRUCT");
  if (cursor.isWord("AS")) throw cursor.unsupported("SELECT AS VALUE");
  const items: SelectItem[] = [];
  do {
    // GoogleSQL allows a trailing comma before FROM.
    if (items.length > 0 && cursor.isWord("FROM")) break;
    items.push(selectItem(cursor));
  } while (cursor.takeSymbol(","));
  const from = cursor.takeWord("FROM") ? parseFrom(cursor) : undefined;
  const where = cursor.takeWord("WHERE") ? parseExpression(cursor) : undefined;
  const grouped = parseGroupBy(cursor);
  const having = cursor.takeWord("HAVING") ? parseExpression(cursor) : undefined;
  const qualify = cursor.takeWord("QUALIFY") ? parseExpression(cursor) : undefined;
  const windows = cursor.takeWord("WINDOW") ? cursor.list(() => namedWindow(cursor)) : [];
  return { kind: "select", distinct, asStruct, items, from, where, ...grouped, having, qualify, windows, at };
}

function namedWindow(cursor: Cursor): Select["windows"][number] {
  const name = cursor.expectName();
  cursor.expectWord("AS");
  return { name, window: parseWindow(cursor) };
}

function queryPrimary(cursor: Cursor): Select | Query {
  return cursor.isSymbol("(") ? cursor.parenthesised(() => parseQuery(cursor)) : select(cursor);
}

const SET_OPERATORS = ["UNION", "INTERSECT", "EXCEPT"] as const;

/** Takes an operator between two queries, with its ALL or DISTINCT. Undefined if there is none. */
function takeSetOperator(cursor: Cursor): Pick<SetOperation, "operator" | "all"> | undefined {
  const operator = SET_OPERATORS.find((word) => cursor.takeWord(word));
  if (operator === undefined) return undefined;
  const all = operator === "UNION" && cursor.takeWord("ALL");
  if (!all) cursor.expectWord("DISTINCT");
  if (cursor.isWord("BY", "NAME") || cursor.isWord("CORRESPONDING") || cursor.isWord("STRICT"))
    throw cursor.unsupported(`${operator} by names`, "list the columns of each query in the same order");
  return { operator, all };
}

function setOperation(cursor: Cursor): Select | Query | SetOperation {
  const { at } = cursor.peek();
  const first = queryPrimary(cursor);
  const operation = takeSetOperator(cursor);
  if (!operation) return first;
  const inputs = [first, queryPrimary(cursor)];
  for (;;) {
    const token = cursor.peek();
    const next = takeSetOperator(cursor);
    if (!next) return { kind: "union", ...operation, inputs, at };
    if (next.operator !== operation.operator || next.all !== operation.all)
      throw cursor.failAt(token, "Different set operations cannot be used in the same query without using parentheses");
    inputs.push(queryPrimary(cursor));
  }
}

/** Parses a query with its WITH, set operations, ORDER BY and LIMIT. */
export function parseQuery(cursor: Cursor): Query {
  const { at } = cursor.peek();
  const withs = cursor.takeWord("WITH") ? withClause(cursor) : [];
  const body = setOperation(cursor);
  const orderBy = parseOrderBy(cursor);
  const limit = cursor.takeWord("LIMIT") ? parseExpression(cursor) : undefined;
  const offset = limit && cursor.takeWord("OFFSET") ? parseExpression(cursor) : undefined;
  if (cursor.isJoined("|", ">")) throw cursor.unsupported("Pipe syntax");
  return { kind: "query", withs, body, orderBy, limit, offset, at };
}

function withClause(cursor: Cursor): { name: string; query: Query; at: number }[] {
  if (cursor.isWord("RECURSIVE")) throw cursor.unsupported("WITH RECURSIVE");
  return cursor.list(() => {
    const { at } = cursor.peek();
    const name = cursor.expectName();
    cursor.expectWord("AS");
    return { name, query: cursor.parenthesised(() => parseQuery(cursor)), at };
  });
}
