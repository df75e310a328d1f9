import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { invisibleFault, visiblePattern } from "./visible-text.ts";

describe("a text that people read", () => {
  it.each([
    ["a control character", "a\u0007b", 2, "0007"],
    ["an escape sequence of a terminal", "\u001b[31m", 1, "001B"],
    ["a right-to-left override", "map\u202egpj", 4, "202E"],
    ["an isolate of the writing direction", "a\u2066b", 2, "2066"],
    ["an Arabic letter mark", "a\u061cb", 2, "061C"],
    ["a zero-width space", "Ta\u200brtu", 3, "200B"],
    ["a zero-width joiner", "ab\u200d", 3, "200D"],
    ["a word joiner", "a\u2060", 2, "2060"],
    ["a byte order mark", "\ufeffname", 1, "FEFF"],
    ["a soft hyphen", "a\u00adb", 2, "00AD"],
    ["a line separator", "a\u2028b", 2, "2028"],
    ["a joiner of graphemes", "a\u034f", 2, "034F"],
    ["a variation selector", "a\ufe00", 2, "FE00"],
    ["the sign of emojis behind a letter", "Twin\ufe0f", 5, "FE0F"],
    ["a filler of Hangul", "\u3164", 1, "3164"],
    ["a blank of Braille", "\u2800", 1, "2800"],
    ["a tag", "Twin\u{e0041}", 5, "E0041"],
    ["a variation selector of two units", "a\u{e0100}", 2, "E0100"],
    ["no character at all", "a\uffff", 2, "FFFF"],
    ["no character of two units", "a\u{1fffe}", 2, "1FFFE"],
    ["one after a character of two units, which counts once", "🙂\u200b", 2, "200B"],
  ])("with %s is refused, with its position", (_what, text, position, code) => {
    for (const kind of ["line", "lines"] as const)
      expect(invisibleFault(text, kind)).toBe(
        `must hold no control, text-direction or invisible characters; character ${position} is U+${code}`,
      );
  });

  it.each(["Vanalinn", "Õismäe – Väike-Õismäe", "تالين", "塔林", "naïve 🙂", "Rand 🏖️ ❤️ 1️⃣", "a b", ""])("may be %j", (text) => {
    expect(invisibleFault(text)).toBeUndefined();
  });

  it("may have several lines only where they are allowed", () => {
    expect([invisibleFault("a\n\tb", "lines"), invisibleFault("a\n\tb")]).toEqual([
      undefined,
      expect.stringContaining("character 2 is U+000A"),
    ]);
  });

  it("holds nothing that Unicode says to ignore, no control and no separator of lines", () => {
    const ignored = /[\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\p{Cc}\p{Zl}\p{Zp}]/u;
    const beyond = /[\u2800\ufff9-\ufffb]/;
    for (let code = 0; code <= 0x10_ffff; code++) {
      const text = String.fromCodePoint(code);
      if ((invisibleFault(text) !== undefined) !== (ignored.test(text) || beyond.test(text))) expect.fail(code.toString(16));
    }
  });

  it("is refused where its pattern in the OpenAPI documents does not match, and else only for characters that patterns cannot name", () => {
    const unit = fc.oneof(
      fc.integer({ min: 0, max: 0xff }),
      fc.integer({ min: 0x600, max: 0x61f }),
      fc.integer({ min: 0x1800, max: 0x206f }),
    );
    const text = fc.array(fc.oneof(unit, fc.integer({ min: 0xfe10, max: 0xffff })), { maxLength: 8 });
    for (const kind of ["line", "lines"] as const)
      fc.assert(
        fc.property(text, (units) => {
          const made = String.fromCharCode(...units);
          const named = String.fromCharCode(...units.map((code) => Math.min(code, 0xff)));
          expect(new RegExp(visiblePattern(kind), "u").test(made)).toBe(invisibleFault(named, kind) === undefined);
          expect(new RegExp(visiblePattern(kind, { notBlank: true })).test(made)).toBe(
            invisibleFault(named, kind) === undefined && made.trim() !== "",
          );
        }),
        { seed: 1 },
      );
  });
});
