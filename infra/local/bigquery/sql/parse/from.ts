import type { FromItem } from "./ast.ts";
import type { Cursor } from "./cursor.ts";
import { parseExpression } from "./expression.ts";
import { parseQuery } from "./query.ts";
import { parseTablePath } from "./table-path.ts";

function unnest(cursor: Cursor, at: number): FromItem {
  const array = cursor.parenthesised(() => parseExpression(cursor));
  const alias = cursor.takeAlias();
  const offset = cursor.takeWord("WITH", "OFFSET") ? (cursor.takeAlias() ?? "offset") : undefined;
  return { kind: "unnest", array, alias, offset, at };
}

function primary(cursor: Cursor): FromItem {
  const { at } = cursor.peek();
  if (cursor.takeWord("UNNEST")) return unnest(cursor, at);
  if (cursor.isWord("LATERAL")) throw cursor.unsupported("LATERAL");
  if (cursor.isSymbol("(")) {
    let depth = 0;
    while (cursor.isSymbol("(", depth)) depth += 1;
    const word = cursor.peek(depth);
    const isQuery = word.kind === "name" && ["SELECT", "WITH"].includes(word.text.toUpperCase());
    if (!isQuery) return cursor.parenthesised(() => parseFrom(cursor));
    const query = cursor.parenthesised(() => parseQuery(cursor));
    return { kind: "query", query, alias: tableAlias(cursor), at };
  }
  const { names } = parseTablePath(cursor);
  if (cursor.isSymbol("(")) throw cursor.unsupported("A table function");
  const alias = tableAlias(cursor);
  const offset = cursor.takeWord("WITH", "OFFSET") ? (cursor.takeAlias() ?? "offset") : undefined;
  return { kind: "table", path: names, alias, offset, at };
}

function tableAlias(cursor: Cursor): string | undefined {
  for (const word of ["PIVOT", "UNPIVOT", "MATCH_RECOGNIZE"])
    if (cursor.isWord(word) && cursor.isSymbol("(", 1)) throw cursor.unsupported(word);
  refuseSuffix(cursor);
  const alias = cursor.takeAlias();
  refuseSuffix(cursor);
  return alias;
}

function refuseSuffix(cursor: Cursor): void {
  if (cursor.isWord("TABLESAMPLE")) throw cursor.unsupported("TABLESAMPLE");
  if (cursor.isWord("FOR")) throw cursor.unsupported("FOR SYSTEM_TIME AS OF");
}

function joinType(cursor: Cursor): "INNER" | "LEFT" | "RIGHT" | "FULL" | "CROSS" | undefined {
  if (cursor.isWord("NATURAL")) throw cursor.unsupported("NATURAL JOIN");
  if (cursor.takeWord("CROSS", "JOIN")) return "CROSS";
  if (cursor.takeWord("INNER", "JOIN") || cursor.takeWord("JOIN")) return "INNER";
  for (const side of ["LEFT", "RIGHT", "FULL"] as const)
    if (cursor.takeWord(side, "JOIN") || cursor.takeWord(side, "OUTER", "JOIN")) return side;
  return undefined;
}

/** Parses the items of FROM: tables, subqueries and UNNEST, joined by commas and JOIN. */
export function parseFrom(cursor: Cursor): FromItem {
  let left = primary(cursor);
  for (;;) {
    const { at } = cursor.peek();
    if (cursor.takeSymbol(",")) {
      left = { kind: "join", type: "CROSS", left, right: primary(cursor), on: undefined, using: [], at };
      continue;
    }
    const type = joinType(cursor);
    if (!type) return left;
    const right = primary(cursor);
    const on = type !== "CROSS" && cursor.takeWord("ON") ? parseExpression(cursor) : undefined;
    const using =
      type !== "CROSS" && !on && cursor.takeWord("USING") ? cursor.parenthesised(() => cursor.list(() => cursor.expectName())) : [];
    const free = right.kind === "unnest" || right.kind === "table";
    if (type !== "CROSS" && !on && using.length === 0 && !free) throw cursor.unexpected("keyword ON or keyword USING");
    left = { kind: "join", type, left, right, on, using, at };
  }
}
