import type { Call, OrderItem, Window } from "./ast.ts";
import type { Cursor } from "./cursor.ts";
import { parseExpression } from "./expression.ts";

function orderItem(cursor: Cursor): OrderItem {
  const by = parseExpression(cursor);
  if (cursor.isWord("COLLATE")) throw cursor.unsupported("COLLATE");
  const descending = cursor.takeWord("DESC");
  if (!descending) cursor.takeWord("ASC");
  const nulls = cursor.takeWord("NULLS", "FIRST") ? "FIRST" : cursor.takeWord("NULLS", "LAST") ? "LAST" : undefined;
  return { by, descending, nulls };
}

/** Parses an optional `ORDER BY …`. Empty if absent. */
export function parseOrderBy(cursor: Cursor): OrderItem[] {
  return cursor.takeWord("ORDER", "BY") ? cursor.list(() => orderItem(cursor)) : [];
}

function nullHandling(cursor: Cursor): "IGNORE" | "RESPECT" | undefined {
  if (cursor.takeWord("IGNORE", "NULLS")) return "IGNORE";
  return cursor.takeWord("RESPECT", "NULLS") ? "RESPECT" : undefined;
}

function havingExtreme(cursor: Cursor): Call["having"] {
  if (!cursor.takeWord("HAVING")) return undefined;
  for (const extreme of ["MAX", "MIN"] as const) if (cursor.takeWord(extreme)) return { extreme, by: parseExpression(cursor) };
  throw cursor.unexpected("keyword MAX or keyword MIN");
}

/** Parses the arguments between a function's parentheses, including the modifiers of aggregates. */
export function parseArguments(cursor: Cursor): Pick<Call, "args" | "star" | "distinct" | "nulls" | "orderBy" | "limit" | "having"> {
  return cursor.parenthesised(() => {
    const star = cursor.isSymbol("*") && cursor.isSymbol(")", 1);
    if (star) cursor.next();
    const distinct = cursor.takeWord("DISTINCT");
    const args =
      star || cursor.isSymbol(")")
        ? []
        : cursor.list(() => {
            const value = parseExpression(cursor);
            if (cursor.isSymbol("=>")) throw cursor.unsupported("A named argument");
            return value;
          });
    const nulls = nullHandling(cursor);
    const having = havingExtreme(cursor);
    const orderBy = parseOrderBy(cursor);
    const limit = cursor.takeWord("LIMIT") ? parseExpression(cursor) : undefined;
    return { args, star, distinct, nulls, orderBy, limit, having };
  });
}

function bound(cursor: Cursor, unit: string): string {
  if (cursor.takeWord("CURRENT", "ROW")) return "CURRENT ROW";
  const token = cursor.peek();
  let amount = "";
  if (cursor.takeWord("UNBOUNDED")) amount = "UNBOUNDED";
  else if (token.kind === "int" || (unit === "RANGE" && token.kind === "float")) amount = cursor.next().text;
  else if (token.kind === "parameter") throw cursor.unsupported("A parameter in a window's frame");
  else throw cursor.unexpected();
  if (cursor.takeWord("PRECEDING")) return `${amount} PRECEDING`;
  cursor.expectWord("FOLLOWING");
  return `${amount} FOLLOWING`;
}

function frame(cursor: Cursor): string | undefined {
  const unit = cursor.takeWord("ROWS") ? "ROWS" : cursor.takeWord("RANGE") ? "RANGE" : undefined;
  if (!unit) return undefined;
  const between = cursor.takeWord("BETWEEN");
  const from = bound(cursor, unit);
  if (between) cursor.expectWord("AND");
  const to = between ? bound(cursor, unit) : "CURRENT ROW";
  return `${unit} BETWEEN ${from} AND ${to}`;
}

/** Parses the window after OVER, or after AS in a WINDOW clause: a name, or parts in parentheses that may begin with a name. */
export function parseWindow(cursor: Cursor): Window {
  if (!cursor.isSymbol("(")) return { base: cursor.expectName(), partitionBy: [], orderBy: [], frame: undefined };
  return cursor.parenthesised(() => {
    const base = cursor.isWord("PARTITION") ? undefined : cursor.takeName();
    const partitionBy = cursor.takeWord("PARTITION", "BY") ? cursor.list(() => parseExpression(cursor)) : [];
    const orderBy = parseOrderBy(cursor);
    return { base, partitionBy, orderBy, frame: frame(cursor) };
  });
}
