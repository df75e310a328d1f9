import fc from "fast-check";
import { oddNames } from "./odd-values.ts";
import type { Sketch } from "./sketch.ts";

/** A body and its encoding. */
export type Content = Pick<Sketch, "encoding"> & { readonly body: string };

const utf8 = (body: string): Content => ({ body, encoding: "utf8" });
const json = fc.json({ maxDepth: 4, stringUnit: "binary" });
const ODD_TEXTS = [
  "",
  " ",
  "\ufeff{}",
  "null",
  "0",
  '""',
  "[]",
  "{}",
  "{}{}",
  "{'a':1}",
  "{a:1}",
  "NaN",
  '{"a":01}',
  '{"a":1e999}',
  "\ud800",
];
const OPENINGS = ["[", '{"a":', "[[", '{"__proto__":'];
const LONG_TEXTS = [1_048_576, 1_048_577, 1_500_000].map((length) => `{"a":1}${" ".repeat(length - 7)}`);

/** Draws bodies: any JSON, or JSON that is broken, too deep or too long, or bytes that are not text. */
export const wildBodies: fc.Arbitrary<Content> = fc.oneof(
  { arbitrary: json.map(utf8), weight: 3 },
  { arbitrary: fc.tuple(oddNames, json).map(([name, value]) => utf8(`{${JSON.stringify(name)}:${value}}`)), weight: 2 },
  { arbitrary: damaged(json).map(utf8), weight: 3 },
  {
    arbitrary: fc
      .tuple(fc.constantFrom(...OPENINGS), fc.constantFrom(20, 33, 1000, 100_000))
      .map(([open, depth]) => utf8(open.repeat(depth))),
    weight: 1,
  },
  {
    arbitrary: fc
      .uint8Array({ maxLength: 60 })
      .map((bytes) => ({ body: Buffer.from(bytes).toString("latin1"), encoding: "latin1" as const })),
    weight: 1,
  },
  { arbitrary: fc.constantFrom(...ODD_TEXTS, '{"a":"\t"}').map(utf8), weight: 2 },
  { arbitrary: fc.constantFrom(...LONG_TEXTS).map(utf8), weight: 1 },
);

/** Draws JSON texts with one defect: truncated, a few characters replaced, or the first member duplicated. */
export function damaged(texts: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const cut = fc.tuple(texts, fc.nat()).map(([text, at]) => text.slice(0, at % (text.length + 1)));
  const exchanged = fc.tuple(texts, fc.nat(), fc.string({ unit: "binary", maxLength: 3 })).map(([text, given, other]) => {
    const at = given % (text.length + 1);
    return text.slice(0, at) + other + text.slice(at + 1);
  });
  const twice = fc
    .tuple(texts, json)
    .map(([text, value]) => text.replace(/^\{("(?:[^"\\]|\\.)*"):/, `{$1:${value.replaceAll("$", "$$$$")},$1:`));
  return fc.oneof(cut, exchanged, twice);
}
