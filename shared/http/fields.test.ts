import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { Instant, maxCharacters } from "./fields.ts";

describe("the error of a time", () => {
  const form = "must be a time in ISO 8601 with an offset or Z, for example 2026-11-01T00:00:00Z, or a date";
  const existing = "must be a time that exists, in the years 1970 to 9998";
  it.each([
    ["2026-11-01T10:00:00", form],
    ["yesterday", form],
    ["2026-02-30", existing],
    ["2026-11-01T23:59:60Z", existing],
    ["1969-12-31T23:59:59Z", existing],
    ["9999-01-01", existing],
  ])("of %s says what would be right", (text, detail) => {
    expect(v.safeParse(Instant, text).issues?.map(({ message }) => message)).toEqual([detail]);
  });
});

describe("the most characters of a text", () => {
  it.each(["a", "õ", "漢", "𠮷", "😀"])("are counted as JSON Schema does: %s", (character) => {
    const Text = v.pipe(v.string(), maxCharacters(2));
    expect(v.is(Text, character.repeat(2))).toBe(true);
    expect(v.safeParse(Text, character.repeat(3)).issues?.map(({ message }) => message)).toEqual(["must be at most 2 characters"]);
  });
});
