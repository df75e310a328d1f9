import { expect, test } from "vitest";
import { isWrittenPlainly, plainBytes } from "./plain-bytes.ts";
import type { PlainColumn } from "./plain-columns.ts";

const column = (name: string, marks: string, listed?: readonly string[]): PlainColumn => ({
  name,
  source: name,
  type: "BIGINT",
  value: "",
  marks,
  ...(listed ? { listed } : {}),
});
const COLUMNS = [column("country", "", ["EST", "LAT"]), column("hour", "--T::Z"), column("number", "")];
const LINES = "EST,2026-03-01T10:00:00Z,-1\nEST,2026-03-01T10:00:00Z,23\nLAT,2026-03-01T11:00:00Z,456\n";
const GROUPS = [
  { texts: ["EST"], rows: 2, negatives: 1 },
  { texts: ["LAT"], rows: 1, negatives: 0 },
];

/** Returns whether the rows of `GROUPS` are taken as written by a text. */
function isPlain(text: string): boolean {
  const counts = Array.from({ length: 256 }, () => 0);
  const bytes = Buffer.from(text);
  for (const byte of bytes) counts[byte] = (counts[byte] ?? 0) + 1;
  return isWrittenPlainly(COLUMNS, GROUPS, { counts, last: bytes.at(-1) });
}

test("rows written plainly, with or without the last line's end, and any digits", () => {
  expect(isPlain(LINES)).toBe(true);
  expect(isPlain(LINES.slice(0, -1))).toBe(true);
  expect(isPlain(LINES.replace("456", "000456"))).toBe(true);
});

test.each([
  ["a decimal point", "456", "456.0"],
  ["an exponent", "456", "4e2"],
  ["a hexadecimal number", "456", "0x10"],
  ["a plus sign", "456", "+456"],
  ["a space", "456", " 456"],
  ["a minus sign of a number that is not negative", "456", "-0"],
  ["a minus sign twice", "-1", "--1"],
  ["one value more", "456", "456,7"],
  ["an empty value more", "456", "456,"],
  ["a blank line", "456", "456\n"],
  ["a carriage return", "456", "456\r"],
  ["a quoted value", "456", '"456"'],
  ["another text of the list", "LAT", "EST"],
  ["a letter of a text more", "456", "456Z"],
  ["text outside of ASCII", "456", "456\u00a0"],
  ["a zero byte", "456", "456\0"],
])("a file with %s is not the same rows written plainly", (_name, from, to) => {
  expect(isPlain(LINES.replace(from, to))).toBe(false);
});

test("only what plain rows have may occur", () => {
  const isKnown = plainBytes(COLUMNS);
  const known = Array.from({ length: 256 }, (_, byte) => byte).filter(isKnown);
  expect(String.fromCharCode(...known)).toBe("\n,-0123456789:AELSTZ");
});
