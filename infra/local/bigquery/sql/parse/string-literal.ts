import { syntaxError } from "./syntax-error.ts";
import type { Token } from "./token.ts";

const SIMPLE: Readonly<Record<string, string>> = {
  a: "\x07",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  "\\": "\\",
  "?": "?",
  '"': '"',
  "'": "'",
  "`": "`",
};

interface Escape {
  readonly text: string;
  readonly length: number;
}

function codePoint(digits: string, radix: number): string | undefined {
  const code = Number.parseInt(digits, radix);
  const surrogate = code >= 0xd800 && code <= 0xdfff;
  return code > 0x10ffff || surrogate ? undefined : String.fromCodePoint(code);
}

/**
 * Parses one escape after a backslash. In BYTES, `\x` and octal escapes are bytes; in STRING, they are code points. `\u` is for STRING
 * only.
 */
function escapeAt(sql: string, at: number, bytes: boolean): Escape | undefined {
  const rest = sql.slice(at, at + 9);
  const simple = SIMPLE[rest[0] ?? ""];
  if (simple !== undefined) return { text: simple, length: 1 };
  const hex = /^[xX]([0-9a-fA-F]{2})/.exec(rest) ?? (bytes ? null : (/^u([0-9a-fA-F]{4})/.exec(rest) ?? /^U([0-9a-fA-F]{8})/.exec(rest)));
  const octal = hex ? null : /^[0-3][0-7]{2}/.exec(rest);
  const digits = hex?.[1] ?? octal?.[0];
  const text = digits === undefined ? undefined : codePoint(digits, hex ? 16 : 8);
  const length = (hex ?? octal)?.[0].length;
  return text === undefined || length === undefined ? undefined : { text, length };
}

/**
 * Reads the string or bytes literal that starts at `at` with `start` (prefix and quote). The text of a bytes token is hexadecimal. Throws a
 * BigQueryError if it is not closed or an escape is unknown.
 */
export function readString(sql: string, at: number, start: string): Token {
  const quote = start.at(-1) ?? "'";
  const prefix = start.slice(0, -1).toLowerCase();
  const raw = prefix.includes("r");
  const bytes = prefix.includes("b");
  const triple = sql.startsWith(quote.repeat(3), at + prefix.length);
  const close = triple ? quote.repeat(3) : quote;
  let here = at + prefix.length + close.length;
  let text = "";
  const hex: string[] = [];
  const add = (part: string, isByte: boolean) => {
    if (bytes) hex.push(Buffer.from(part, isByte ? "latin1" : "utf8").toString("hex"));
    else text += part;
  };
  while (!sql.startsWith(close, here)) {
    const character = String.fromCodePoint(sql.codePointAt(here) ?? 0);
    if (here >= sql.length || (!triple && character === "\n")) throw syntaxError(sql, at, "Unclosed string literal");
    if (character !== "\\") {
      add(character, false);
      here += character.length;
    } else if (raw) {
      const pair = sql.slice(here, here + 2);
      add(pair, false);
      here += pair.length;
    } else {
      const escaped = escapeAt(sql, here + 1, bytes);
      if (!escaped) throw syntaxError(sql, here, "Illegal escape sequence");
      add(escaped.text, true);
      here += 1 + escaped.length;
    }
  }
  if (text.includes("\0")) throw syntaxError(sql, at, "A null character in a string is not supported by the local BigQuery");
  return { kind: bytes ? "bytes" : "string", text: bytes ? hex.join("") : text, at, end: here + close.length };
}
