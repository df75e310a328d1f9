import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type JsonResult, parseJsonInSlices } from "./json.ts";

function parseJson(text: string): JsonResult {
  const slices = parseJsonInSlices(text);
  for (;;) {
    const { done, value } = slices.next();
    if (done) return value;
  }
}

function accepts(text: string): boolean {
  return "value" in parseJson(text);
}

describe("strict JSON", () => {
  it("accepts everything that JSON.stringify writes, and parses it as JSON.parse does", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), fc.constantFrom(undefined, 2, "\t"), (value, indent) => {
        const text = JSON.stringify(value, undefined, indent);
        expect(parseJson(text)).toEqual({ value: JSON.parse(text) });
      }),
      { seed: 1 },
    );
  });

  it("accepts no text that JSON.parse rejects", () => {
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
      { seed: 1, numRuns: 3000 },
    );
  });

  it.each([
    ['{"a": }', 6, "expected a value"],
    ['{"a": 1', 7, "unexpected end of the text, expected a comma or }"],
    ["{'a': 1}", 1, "expected a name in double quotes"],
    ['{"a" 1}', 5, "expected a colon"],
    ["[1 2]", 3, "expected a comma or ]"],
    ["[1,]", 3, "expected a value"],
    ["{} {}", 3, "unexpected text after the value"],
    ["NaN", 0, "expected a value"],
    ['{"a":1,"a":2}', 7, "duplicate member name"],
    ['{"a":1,"\\u0061":2}', 7, "duplicate member name"],
    ['{"a":"x\\ud800"}', 5, "unpaired surrogate"],
    ['{"\\udc00":1}', 1, "unpaired surrogate"],
    ["", 0, "unexpected end of the text, expected a value"],
  ])("reports the error in %j at position %i", (text, position, detail) => {
    expect(parseJson(text)).toEqual({ fault: { position, detail } });
  });

  it("rejects nesting that could overflow a parser's stack", () => {
    const tooDeep = { fault: { position: 32, detail: "more than 32 levels of nesting" } };
    for (const inner of ["", "1"]) {
      expect(accepts("[".repeat(32) + inner + "]".repeat(32))).toBe(true);
      expect(parseJson("[".repeat(33) + inner + "]".repeat(33))).toEqual(tooDeep);
    }
    expect(parseJson("[".repeat(500_000))).toEqual(tooDeep);
  });

  it("accepts a character beyond the first plane, literally or as two escapes", () => {
    expect(parseJson('["👍","\\ud83d\\udc4d"]')).toEqual({ value: ["👍", "👍"] });
  });

  it("keeps a member named __proto__ as a member", () => {
    const result = parseJson('{"__proto__": {"admin": true}}');
    expect("value" in result && Object.keys(Object(result.value))).toEqual(["__proto__"]);
  });

  it.each([
    ["an array", `[${"0,".repeat(100_000)}0]`],
    ["arrays", `[${"[],".repeat(100_000)}[]]`],
    ["members", `{${Array.from({ length: 100_000 }, (_, index) => `"${index}":0`).join(",")}}`],
    ["nested members", `[${'{"a":[{}]},'.repeat(30_000)}0]`],
  ])("parses a long text in many slices: %s", (_what, text) => {
    expect([...parseJsonInSlices(text)].length).toBeGreaterThanOrEqual(120);
  });
});
