import { isPositional, positionalName } from "../positional.ts";
import { readString } from "./string-literal.ts";
import { syntaxError } from "./syntax-error.ts";
import type { Token } from "./token.ts";

const SYMBOLS = [
  "<=",
  ">=",
  "!=",
  "<>",
  "||",
  "=>",
  "(",
  ")",
  "[",
  "]",
  ",",
  ";",
  ".",
  "+",
  "-",
  "*",
  "/",
  "<",
  ">",
  "=",
  ":",
  "&",
  "|",
  "^",
  "~",
];
const NAME = /[A-Za-z_][A-Za-z0-9_]*/y;
const NUMBER = /(?:0[xX][0-9a-fA-F]+)|(?:(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)/y;
const BLANK = /(?:\s+|--[^\n]*|#[^\n]*|\/\*[\s\S]*?\*\/)+/y;
const STRING_START = /(?:[rR][bB]?|[bB][rR]?)?(?:"|')/y;

function matchAt(pattern: RegExp, sql: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(sql)?.[0];
}

function quotedName(sql: string, at: number): Token {
  const end = sql.indexOf("`", at + 1);
  if (end < 0) throw syntaxError(sql, at, "Unclosed identifier literal");
  const text = sql.slice(at + 1, end);
  if (text === "") throw syntaxError(sql, at, "Invalid empty identifier");
  if (/[\\\n]/.test(text)) throw syntaxError(sql, at, "Escapes in a quoted identifier are not supported by the local BigQuery");
  return { kind: "quoted-name", text, at, end: end + 1 };
}

function parameter(sql: string, at: number): Token {
  if (sql[at + 1] === "@") throw syntaxError(sql, at, "System variables (@@…) are not supported by the local BigQuery");
  const quoted = sql[at + 1] === "`" ? quotedName(sql, at + 1) : undefined;
  const name = quoted?.text ?? matchAt(NAME, sql, at + 1);
  if (name === undefined || !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) throw syntaxError(sql, at, 'Unexpected "@"');
  return { kind: "parameter", text: name, at, end: quoted?.end ?? at + 1 + name.length };
}

function number(sql: string, at: number, text: string): Token {
  const end = at + text.length;
  if (/[A-Za-z_]/.test(sql[end] ?? "")) throw syntaxError(sql, end, "Missing whitespace between literal and alias");
  return { kind: /^0[xX]|^\d+$/.test(text) ? "int" : "float", text, at, end };
}

function next(sql: string, at: number, previous: Token | undefined, positional: number): Token {
  const start = matchAt(STRING_START, sql, at);
  if (start !== undefined) return readString(sql, at, start);
  const name = matchAt(NAME, sql, at);
  if (name !== undefined) return { kind: "name", text: name, at, end: at + name.length };
  const character = sql[at] ?? "";
  if (character === "`") return quotedName(sql, at);
  if (character === "@") return parameter(sql, at);
  if (character === "?") return { kind: "parameter", text: positionalName(positional), at, end: at + 1 };
  // After a name, a dot starts a field, never a number such as `.5`.
  const digits = character === "." && previous?.end === at ? undefined : matchAt(NUMBER, sql, at);
  if (digits !== undefined) return number(sql, at, digits);
  const symbol = SYMBOLS.find((candidate) => sql.startsWith(candidate, at));
  if (symbol === undefined) throw syntaxError(sql, at, `Illegal input character "${character}"`);
  return { kind: "symbol", text: symbol === "<>" ? "!=" : symbol, at, end: at + symbol.length };
}

/**
 * Returns the tokens of a script, without white space and comments, terminated by one `end` token. Throws a BigQueryError on an invalid
 * token.
 */
export function tokenize(sql: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  let positional = 0;
  for (;;) {
    at += matchAt(BLANK, sql, at)?.length ?? 0;
    if (at >= sql.length) break;
    if (sql.startsWith("/*", at)) throw syntaxError(sql, at, "Unclosed comment");
    const token = next(sql, at, tokens.at(-1), positional + 1);
    if (token.kind === "parameter" && isPositional(token.text)) positional += 1;
    tokens.push(token);
    at = token.end;
  }
  tokens.push({ kind: "end", text: "", at: sql.length, end: sql.length });
  return tokens;
}
