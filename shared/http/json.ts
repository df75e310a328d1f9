/** Why the service rejects a JSON text, and the index of the offending character. */
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
 * Parses JSON (RFC 8259) more strictly than `JSON.parse`: it rejects duplicate members, unpaired surrogates and nesting beyond 32 levels,
 * which parsers treat differently. A member named `__proto__` is an ordinary member.
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

/** Skips white space and returns the next character; empty at the end. */
function peek(scanner: Scanner): string {
  take(scanner, SPACE);
  return scanner.text.charAt(scanner.position);
}

function unexpected(scanner: Scanner, wanted: string): JsonFault {
  const found = scanner.text.charAt(scanner.position);
  return { detail: found === "" ? `unexpected end of the text, expected ${wanted}` : `expected ${wanted}`, position: scanner.position };
}

function scanEnd(scanner: Scanner): JsonFault | undefined {
  return peek(scanner) === "" ? undefined : { detail: "unexpected text after the value", position: scanner.position };
}

function scanValue(scanner: Scanner, depth: number): JsonFault | undefined {
  const next = peek(scanner);
  if (depth > DEPTH_MAX) return { detail: `more than ${DEPTH_MAX} levels of nesting`, position: scanner.position };
  if (next === "{") return scanMembers(scanner, "}", depth, new Set());
  if (next === "[") return scanMembers(scanner, "]", depth, undefined);
  const { position } = scanner;
  const token = take(scanner, next === '"' ? STRING : SCALAR);
  if (token === undefined) return unexpected(scanner, "a value");
  return isUnicode(token) ? undefined : { ...UNPAIRED, position };
}

const UNPAIRED = { detail: "unpaired surrogate" };

/** Whether a string token is valid Unicode. An escape can encode half of a surrogate pair, which no store and no other format accepts. */
function isUnicode(token: string): boolean {
  return !token.includes("\\u") || String(JSON.parse(token)).isWellFormed();
}

/** Scans the members of an object, collecting their names, or the elements of an array. */
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
  if (!plain.isWellFormed()) return { ...UNPAIRED, position };
  if (names.has(plain)) return { detail: "duplicate member name", position };
  names.add(plain);
  if (peek(scanner) !== ":") return unexpected(scanner, "a colon");
  scanner.position += 1;
  return undefined;
}
