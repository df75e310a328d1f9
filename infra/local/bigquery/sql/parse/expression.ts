import type { BinaryOperator, BitwiseOperator, Expression } from "./ast.ts";
import type { Cursor } from "./cursor.ts";
import { parseCall, parsePrimary } from "./primary.ts";
import { parseQuery } from "./query.ts";

function binary(operator: BinaryOperator, left: Expression, right: Expression, at: number): Expression {
  return { kind: "binary", operator, left, right, at };
}

/** How an element's number may be counted. A number alone is as with OFFSET. */
const POSITIONS: readonly string[] = ["OFFSET", "ORDINAL", "SAFE_OFFSET", "SAFE_ORDINAL"];

function postfix(cursor: Cursor): Expression {
  let value = parsePrimary(cursor);
  for (;;) {
    const { at } = cursor.peek();
    if (cursor.takeSymbol(".")) {
      const name = cursor.expectField();
      value = value.kind === "path" ? { ...value, names: [...value.names, name] } : { kind: "field", of: value, name, at };
      if (value.kind === "path" && cursor.isSymbol("(")) value = parseCall(cursor, value.names, value.at);
    } else if (cursor.takeSymbol("[")) {
      const isNamed = cursor.isSymbol("(", 1) && POSITIONS.includes(cursor.peek().text.toUpperCase());
      const how = isNamed ? cursor.next().text.toUpperCase() : "OFFSET";
      const index = isNamed ? cursor.parenthesised(() => parseExpression(cursor)) : parseExpression(cursor);
      cursor.expectSymbol("]");
      value = { kind: "element", of: value, how, index, at };
    } else return value;
  }
}

function unary(cursor: Cursor): Expression {
  const { at } = cursor.peek();
  if (cursor.takeSymbol("~")) return { kind: "unary", operator: "~", of: unary(cursor), at };
  if (!cursor.isSymbol("-") && !cursor.isSymbol("+")) return postfix(cursor);
  const operator = cursor.next().text === "-" ? "-" : "+";
  const of = unary(cursor);
  const isNumber = of.kind === "literal" && (of.type === "INT64" || of.type === "FLOAT64") && !of.text.startsWith("-");
  if (isNumber) return operator === "-" ? { ...of, text: `-${of.text}`, at } : of;
  return { kind: "unary", operator, of, at };
}

function multiplicative(cursor: Cursor): Expression {
  let left = unary(cursor);
  for (;;) {
    const { at } = cursor.peek();
    if (cursor.takeSymbol("*")) left = binary("*", left, unary(cursor), at);
    else if (cursor.takeSymbol("/")) left = binary("/", left, unary(cursor), at);
    else if (cursor.takeSymbol("||")) left = binary("||", left, unary(cursor), at);
    else return left;
  }
}

function additive(cursor: Cursor): Expression {
  let left = multiplicative(cursor);
  for (;;) {
    const { at } = cursor.peek();
    if (cursor.takeSymbol("+")) left = binary("+", left, multiplicative(cursor), at);
    else if (cursor.takeSymbol("-")) left = binary("-", left, multiplicative(cursor), at);
    else return left;
  }
}

/** The bitwise operators, from those that bind least. */
const BITWISE: readonly (readonly BitwiseOperator[])[] = [["|"], ["^"], ["&"], ["<<", ">>"]];

function takeBitwise(cursor: Cursor, operators: readonly BitwiseOperator[]): BitwiseOperator | undefined {
  const found = operators.find((operator) => cursor.isJoined(...operator));
  // `|>` begins a step of pipe syntax.
  if (found === undefined || cursor.isJoined("|", ">")) return undefined;
  for (const _ of found) cursor.next();
  return found;
}

function bitwise(cursor: Cursor, level = 0): Expression {
  const operators = BITWISE[level];
  if (!operators) return additive(cursor);
  let left = bitwise(cursor, level + 1);
  for (;;) {
    const { at } = cursor.peek();
    const operator = takeBitwise(cursor, operators);
    if (operator === undefined) return left;
    left = binary(operator, left, bitwise(cursor, level + 1), at);
  }
}

function inOperator(cursor: Cursor, of: Expression, not: boolean, at: number): Expression {
  if (cursor.takeWord("UNNEST")) return { kind: "in-unnest", of, array: cursor.parenthesised(() => parseExpression(cursor)), not, at };
  return cursor.parenthesised((): Expression => {
    if (cursor.isWord("SELECT") || cursor.isWord("WITH")) return { kind: "in-query", of, query: parseQuery(cursor), not, at };
    return { kind: "in-list", of, items: cursor.list(() => parseExpression(cursor)), not, at };
  });
}

function isOperator(cursor: Cursor, of: Expression, at: number): Expression {
  const not = cursor.takeWord("NOT");
  for (const test of ["NULL", "TRUE", "FALSE"] as const) if (cursor.takeWord(test)) return { kind: "is", of, test, not, at };
  if (!cursor.takeWord("DISTINCT", "FROM")) throw cursor.unexpected();
  return { kind: "distinct-from", left: of, right: bitwise(cursor), not, at };
}

const COMPARISONS: readonly BinaryOperator[] = ["=", "!=", "<", "<=", ">", ">="];

function comparison(cursor: Cursor): Expression {
  const left = bitwise(cursor);
  const { at } = cursor.peek();
  const operator = COMPARISONS.find((candidate) => cursor.isSymbol(candidate));
  let result: Expression;
  if (operator) {
    cursor.next();
    result = binary(operator, left, bitwise(cursor), at);
  } else if (cursor.takeWord("IS")) result = isOperator(cursor, left, at);
  else {
    const not = cursor.takeWord("NOT");
    if (cursor.takeWord("LIKE")) {
      if (cursor.isWord("ANY") || cursor.isWord("SOME") || cursor.isWord("ALL")) throw cursor.unsupported("A quantified LIKE");
      result = binary(not ? "NOT LIKE" : "LIKE", left, bitwise(cursor), at);
    } else if (cursor.takeWord("BETWEEN")) {
      const low = bitwise(cursor);
      cursor.expectWord("AND");
      result = { kind: "between", of: left, low, high: bitwise(cursor), not, at };
    } else if (cursor.takeWord("IN")) result = inOperator(cursor, left, not, at);
    else if (not) throw cursor.unexpected();
    else return left;
  }
  // Comparisons do not chain in GoogleSQL: `a = b = c` needs parentheses. A second IS may follow.
  if (COMPARISONS.some((candidate) => cursor.isSymbol(candidate))) throw cursor.unexpected();
  return result;
}

function negation(cursor: Cursor): Expression {
  const { at } = cursor.peek();
  if (cursor.takeWord("NOT")) return { kind: "unary", operator: "NOT", of: negation(cursor), at };
  return comparison(cursor);
}

function conjunction(cursor: Cursor): Expression {
  let left = negation(cursor);
  for (;;) {
    const { at } = cursor.peek();
    if (!cursor.takeWord("AND")) return left;
    left = binary("AND", left, negation(cursor), at);
  }
}

/** Parses an expression with GoogleSQL's precedence. The grammar contains only what the local warehouse translates. */
export function parseExpression(cursor: Cursor): Expression {
  let left = conjunction(cursor);
  for (;;) {
    const { at } = cursor.peek();
    if (!cursor.takeWord("OR")) return left;
    left = binary("OR", left, conjunction(cursor), at);
  }
}
