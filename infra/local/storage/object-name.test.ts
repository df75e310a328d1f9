import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkBucketName, checkObjectName, compareBytes } from "./object-name.ts";

describe("compareBytes", () => {
  it("orders by UTF-8 bytes, also beyond the basic plane", () => {
    const edges = ["\u0000", "a", "b", "\u007f", "\u0080", "\u07ff", "\u0800", "\ud7ff", "\ue000", "\uffff", "\u{10000}", "\u{10ffff}"];
    const text = fc.string({ unit: fc.constantFrom(...edges), maxLength: 5 });
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(Math.sign(compareBytes(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
      }),
      { seed: 1 },
    );
    expect(compareBytes("\u{1f600}", "\uffee")).toBeGreaterThan(0);
  });
});

describe("checkObjectName", () => {
  it.each(["a", "a/../b", "..%2f", "/", "//", "...", "C:\\x", "x".repeat(1024), "\u0000", "é/\u{1f600}"])("allows %j", (name) => {
    expect(() => checkObjectName(name)).not.toThrow();
  });

  it.each(["", ".", "..", "a\nb", "a\rb", "x".repeat(1025), "é".repeat(513), "\ud800", ".well-known/acme-challenge/x"])(
    "rejects %j",
    (name) => {
      expect(() => checkObjectName(name)).toThrow(expect.objectContaining({ status: 400, reason: "invalid" }));
    },
  );
});

describe("checkBucketName", () => {
  it.each(["..", "ab", "Abc", "a/b", "-abc", "abc.", "a\u0000b", "", "é".repeat(3)])("rejects %j", (name) => {
    expect(() => checkBucketName(name)).toThrow(expect.objectContaining({ status: 400 }));
  });
});
