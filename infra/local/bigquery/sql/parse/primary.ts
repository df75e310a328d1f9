import type { Call, Expression, LiteralType, Named } from "./ast.ts";
import { parseArguments, parseWindow } from "./call.ts";
import type { Cursor } from "./cursor.ts";
import { parseExpression } from "./expression.ts";
import { RESERVED } from "./keywords.ts";
import { parseQuery } from "./query.ts";
import type { Token } from "./token.ts";
import { parseTypeName } from "./type-name.ts";

const TYPED_LITERALS: Readonly<Record<string, LiteralType>> = {
  DATE: "DATE",
  TIMESTAMP: "TIMESTAMP",
  DATETIME: "DATETIME",
  TIME: "TIME",
  NUMERIC: "NUMERIC",
  DECIMAL: "NUMERIC",
};

/** Typed literals that BigQuery has besides. */
const OTHER_LITERALS: readonly string[] = ["JSON", "BIGNUMERIC", "BIGDECIMAL"];

const PLAIN_LITERALS: Partial<Record<Token["kind"], LiteralType>> = { int: "INT64", float: "FLOAT64", string: "STRING", bytes: "BYTES" };

function literal(cursor: Cursor): Expression | undefined {
  const token = cursor.peek();
  const { at } = token;
  const typed = token.kind === "name" && cursor.peek(1).kind === "string" ? TYPED_LITERALS[token.text.toUpperCase()] : undefined;
  if (typed) {
    cursor.next();
    return { kind: "literal", type: typed, text: cursor.next().text, at };
  }
  if (token.kind === "name" && cursor.peek(1).kind === "string" && OTHER_LITERALS.includes(token.text.toUpperCase()))
    throw cursor.unsupported(`A literal of type ${token.text.toUpperCase()}`);
  if (cursor.isWord("RANGE") && cursor.isSymbol("<", 1)) throw cursor.unsupported("A literal of type RANGE");
  const simple = PLAIN_LITERALS[token.kind];
  if (simple) return { kind: "literal", type: simple, text: cursor.next().text, at };
  if (cursor.takeWord("NULL")) return { kind: "literal", type: "NULL", text: "NULL", at };
  if (cursor.takeWord("TRUE")) return { kind: "literal", type: "BOOL", text: "TRUE", at };
  if (cursor.takeWord("FALSE")) return { kind: "literal", type: "BOOL", text: "FALSE", at };
  return undefined;
}

function caseExpression(cursor: Cursor, at: number): Expression {
  const of = cursor.isWord("WHEN") ? undefined : parseExpression(cursor);
  const branches: { when: Expression; result: Expression }[] = [];
  while (cursor.takeWord("WHEN")) {
    const when = parseExpression(cursor);
    cursor.expectWord("THEN");
    branches.push({ when, result: parseExpression(cursor) });
  }
  if (branches.length === 0) throw cursor.unexpected("keyword WHEN");
  const otherwise = cursor.takeWord("ELSE") ? parseExpression(cursor) : undefined;
  cursor.expectWord("END");
  return { kind: "case", of, branches, otherwise, at };
}

function castExpression(cursor: Cursor, safe: boolean, at: number): Expression {
  return cursor.parenthesised((): Expression => {
    const of = parseExpression(cursor);
    cursor.expectWord("AS");
    const type = parseTypeName(cursor);
    if (cursor.isWord("FORMAT")) throw cursor.unsupported("CAST with FORMAT");
    return { kind: "cast", of, type, safe, at };
  });
}

function extractExpression(cursor: Cursor, at: number): Expression {
  return cursor.parenthesised((): Expression => {
    const part = parseExpression(cursor);
    cursor.expectWord("FROM");
    const of = parseExpression(cursor);
    const zone = cursor.takeWord("AT", "TIME", "ZONE") ? parseExpression(cursor) : undefined;
    return { kind: "extract", part, of, zone, at };
  });
}

function arrayExpression(cursor: Cursor, at: number): Expression {
  if (cursor.isSymbol("(")) return { kind: "subquery", form: "array", query: cursor.parenthesised(() => parseQuery(cursor)), at };
  let element: ReturnType<typeof parseTypeName> | undefined;
  if (cursor.takeSymbol("<")) {
    element = parseTypeName(cursor);
    cursor.expectSymbol(">");
  }
  cursor.expectSymbol("[");
  const items = cursor.isSymbol("]") ? [] : cursor.list(() => parseExpression(cursor));
  cursor.expectSymbol("]");
  return { kind: "array", element, items, at };
}

function named(cursor: Cursor): Named {
  const value = parseExpression(cursor);
  return { value, name: cursor.takeWord("AS") ? cursor.expectName() : undefined };
}

function structExpression(cursor: Cursor, at: number): Expression {
  const type = cursor.isSymbol("<", 1) ? parseTypeName(cursor) : undefined;
  if (!type) cursor.next();
  cursor.expectSymbol("(");
  const items = cursor.isSymbol(")") ? [] : cursor.list(() => named(cursor));
  cursor.expectSymbol(")");
  return { kind: "struct", type, items, tuple: false, at };
}

function parenthesis(cursor: Cursor): Expression {
  const { at } = cursor.peek();
  return cursor.parenthesised((): Expression => {
    if (cursor.isWord("SELECT") || cursor.isWord("WITH")) return { kind: "subquery", form: "scalar", query: parseQuery(cursor), at };
    const value = parseExpression(cursor);
    if (!cursor.takeSymbol(",")) return value;
    const items = [value, ...cursor.list(() => parseExpression(cursor))].map((item) => ({ value: item, name: undefined }));
    return { kind: "struct", type: undefined, items, tuple: true, at };
  });
}

function interval(cursor: Cursor, at: number): Expression {
  const amount = parseExpression(cursor);
  const part = cursor.expectName().toUpperCase();
  if (cursor.isWord("TO")) throw cursor.unsupported("An interval of several parts");
  return { kind: "interval", amount, part, at };
}

/** Parses a primary expression: a literal, name, call or parentheses. */
export function parsePrimary(cursor: Cursor): Expression {
  const token = cursor.peek();
  const { at } = token;
  if (token.kind === "parameter") return { kind: "parameter", name: cursor.next().text, at };
  const simple = literal(cursor);
  if (simple) return simple;
  if (cursor.isSymbol("(")) return parenthesis(cursor);
  if (cursor.isSymbol("[")) return arrayExpression(cursor, at);
  const special = keywordExpression(cursor, at);
  if (special) return special;
  const callable = cursor.isName() || CALLABLE.some((word) => cursor.isWord(word));
  if (callable && cursor.isSymbol("(", 1)) return call(cursor);
  if (token.kind === "name" && RESERVED.has(token.text.toUpperCase())) throw cursor.unexpected();
  if (token.kind === "name" && CLOCK.test(token.text)) {
    cursor.next();
    return { kind: "call", name: token.text.toUpperCase(), safe: false, ...NO_ARGUMENTS, over: undefined, at };
  }
  const name = cursor.takeName();
  if (name === undefined) throw cursor.unexpected();
  return { kind: "path", names: [name], at };
}

/** Parses an expression with a syntax of its own, which its first word tells. Undefined if it is none. */
function keywordExpression(cursor: Cursor, at: number): Expression | undefined {
  if (cursor.takeWord("CASE")) return caseExpression(cursor, at);
  if (cursor.takeWord("CAST")) return castExpression(cursor, false, at);
  if (cursor.isWord("SAFE_CAST") && cursor.isSymbol("(", 1)) {
    cursor.next();
    return castExpression(cursor, true, at);
  }
  if (cursor.takeWord("EXTRACT")) return extractExpression(cursor, at);
  if (cursor.takeWord("ARRAY")) return arrayExpression(cursor, at);
  if (cursor.takeWord("INTERVAL")) return interval(cursor, at);
  if (cursor.isWord("STRUCT")) return structExpression(cursor, at);
  if (cursor.takeWord("EXISTS")) return { kind: "subquery", form: "exists", query: cursor.parenthesised(() => parseQuery(cursor)), at };
  if (cursor.isWord("RANGE") && cursor.isSymbol("(", 1)) throw cursor.unsupported("The function RANGE");
  return undefined;
}

/** The keywords that are functions, too. */
const CALLABLE: readonly string[] = ["GROUPING", "IF", "LEFT", "RIGHT"];

/** The functions that may omit the parentheses. Without quotes they are never a column, and a result column of one has no name. */
const CLOCK = /^CURRENT_(?:TIMESTAMP|DATE|DATETIME|TIME)$/i;

const NO_ARGUMENTS: ReturnType<typeof parseArguments> = {
  args: [],
  star: false,
  distinct: false,
  nulls: undefined,
  orderBy: [],
  limit: undefined,
  having: undefined,
};

function call(cursor: Cursor): Expression {
  const { text, at } = cursor.next();
  return parseCall(cursor, [text], at);
}

/** Parses the arguments of a function whose name was just read: `DIV`, `SAFE.DIV` or `NET.HOST`. */
export function parseCall(cursor: Cursor, names: readonly string[], at: number): Call {
  const [first = "", ...rest] = names.map((name) => name.toUpperCase());
  const safe = first === "SAFE" && rest.length > 0;
  const args = parseArguments(cursor);
  const over = cursor.takeWord("OVER") ? parseWindow(cursor) : undefined;
  return { kind: "call", name: (safe ? rest : [first, ...rest]).join("."), safe, ...args, over, at };
}
