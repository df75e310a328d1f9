/** Why a text is no JSON that the service takes, and where: the index of the offending character. */
interface JsonFault {
  readonly detail: string;
  readonly position: number;
}

export type JsonResult = { readonly value: unknown } | { readonly fault: JsonFault };

const DEPTH_MAX = 32;
const SCALAR = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const STRING = /"(?:[ !#-[\]-\uffff]|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4})*"/y;
const SPACE = /[ \t\n\r]*/y;

/**
 * Parses JSON (RFC 8259) more strictly than the language does: a member given twice, half of a surrogate pair and nesting beyond 32 levels are
 * faults, since what one reader takes from them another does not. A member named `__proto__` is one like any other.
 */
export function parseJson(text: string): JsonResult {
  const scanner = { text, position: 0 };
  const fault = scanValue(scanner, 0) ?? scanEnd(scanner);
  return fault ? { fault } : { value: JSON.parse(text) };
}

interface Scanner {
  readonly text: string;
  position: number;
}

function take(scanner: Scanner, pattern: RegExp): string | undefined {
  pattern.lastIndex = scanner.position;
  const found = pattern.exec(scanner.text)?.[0];
  scanner.position += found?.length ?? 0;
  return found;
}

/** The next character after white space; empty at the end. */
function peek(scanner: Scanner): string {
  take(scanner, SPACE);
  return scanner.text.charAt(scanner.position);
}

function unexpected(scanner: Scanner, wanted: string): JsonFault {
  const found = scanner.text.charAt(scanner.position);
  return { detail: found === "" ? `it ends where ${wanted} should be` : `${wanted} should be`, position: scanner.position };
}

function scanEnd(scanner: Scanner): JsonFault | undefined {
  return peek(scanner) === "" ? undefined : { detail: "nothing more should be", position: scanner.position };
}

function scanValue(scanner: Scanner, depth: number): JsonFault | undefined {
  const next = peek(scanner);
  if (depth > DEPTH_MAX) return { detail: `no more than ${DEPTH_MAX} levels of nesting should be`, position: scanner.position };
  if (next === "{") return scanMembers(scanner, "}", depth, new Set());
  if (next === "[") return scanMembers(scanner, "]", depth, undefined);
  const { position } = scanner;
  const token = take(scanner, next === '"' ? STRING : SCALAR);
  if (token === undefined) return unexpected(scanner, "a value");
  return isWhole(token) ? undefined : { ...HALF, position };
}

const HALF = { detail: "no half of a surrogate pair should be" };

/** Whether the text of a string is Unicode: an escape can write half of a character, which no other format and no store takes. */
function isWhole(token: string): boolean {
  return !token.includes("\\u") || String(JSON.parse(token)).isWellFormed();
}

/** The members of an object, whose names are collected, or the elements of an array. */
function scanMembers(scanner: Scanner, end: "}" | "]", depth: number, names: Set<string> | undefined): JsonFault | undefined {
  scanner.position += 1;
  if (peek(scanner) === end) {
    scanner.position += 1;
    return undefined;
  }
  for (;;) {
    const fault = (names && scanName(scanner, names)) ?? scanValue(scanner, depth + 1);
    if (fault) return fault;
    const next = peek(scanner);
    if (next !== "," && next !== end) return unexpected(scanner, `a comma or ${end}`);
    scanner.position += 1;
    if (next === end) return undefined;
  }
}

function scanName(scanner: Scanner, names: Set<string>): JsonFault | undefined {
  peek(scanner);
  const { position } = scanner;
  const name = take(scanner, STRING);
  if (name === undefined) return unexpected(scanner, "a name in double quotes");
  const plain: string = JSON.parse(name);
  if (!plain.isWellFormed()) return { ...HALF, position };
  if (names.has(plain)) return { detail: "no second member of the same name should be", position };
  names.add(plain);
  if (peek(scanner) !== ":") return unexpected(scanner, "a colon");
  scanner.position += 1;
  return undefined;
}
