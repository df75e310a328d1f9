import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseJson } from "./json.ts";

function accepts(text: string): boolean {
  return "value" in parseJson(text);
}

describe("strict JSON", () => {
  it("takes every value that the language writes, and gives what the language reads", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), fc.constantFrom(undefined, 2, "\t"), (value, indent) => {
        const text = JSON.stringify(value, undefined, indent);
        expect(parseJson(text)).toEqual({ value: JSON.parse(text) });
      }),
    );
  });

  it("takes no text that the language refuses", () => {
    const pieces = fc.constantFrom(
      "{",
      "}",
      "[",
      "]",
      ",",
      ":",
      '"a"',
      '"b"',
      "1",
      "-",
      "0",
      ".5",
      "e9",
      "true",
      "nul",
      " ",
      "\\",
      '"',
      "'",
      "\u0001",
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
        const text = parts.join("");
        let read = true;
        try {
          JSON.parse(text);
        } catch {
          read = false;
        }
        if (!read) expect(accepts(text)).toBe(false);
      }),
      { numRuns: 3000 },
    );
  });

  it.each([
    ['{"a": }', 6, "a value should be"],
    ['{"a": 1', 7, "it ends where a comma or } should be"],
    ["{'a': 1}", 1, "a name in double quotes should be"],
    ['{"a" 1}', 5, "a colon should be"],
    ["[1 2]", 3, "a comma or ] should be"],
    ["[1,]", 3, "a value should be"],
    ["{} {}", 3, "nothing more should be"],
    ["NaN", 0, "a value should be"],
    ['{"a":1,"a":2}', 7, "no second member of the same name should be"],
    ['{"a":1,"\\u0061":2}', 7, "no second member of the same name should be"],
    ['{"a":"x\\ud800"}', 5, "no half of a surrogate pair should be"],
    ['{"\\udc00":1}', 1, "no half of a surrogate pair should be"],
    ["", 0, "it ends where a value should be"],
  ])("says of %j what should be at %i", (text, position, detail) => {
    expect(parseJson(text)).toEqual({ fault: { position, detail } });
  });

  it("refuses nesting that would cost a reader its stack", () => {
    expect(accepts("[".repeat(32) + "]".repeat(32))).toBe(true);
    expect(parseJson("[".repeat(500_000))).toMatchObject({ fault: { detail: expect.stringContaining("32 levels") } });
  });

  it("takes a character beyond the first plane, as it is or in two escapes", () => {
    expect(parseJson('["👍","\\ud83d\\udc4d"]')).toEqual({ value: ["👍", "👍"] });
  });

  it("keeps a member named __proto__ as a member", () => {
    const result = parseJson('{"__proto__": {"admin": true}}');
    expect("value" in result && Object.keys(Object(result.value))).toEqual(["__proto__"]);
  });
});
